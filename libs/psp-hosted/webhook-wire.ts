import type { WebhookHint } from '#psp';
import { attemptStatus, intentStatus } from './statuses.js';
import {
  fieldsOf,
  idOf,
  idOrNull,
  MalformedWire,
  parseWireJson,
  text,
  textOrNull,
} from './wire-decode.js';

/** A webhook's body: an event of an object. Its `data` is only a hint: GET the object. */
export interface WireEvent {
  readonly id: string;
  /** `<object_type>.<event>`, e.g. `payment.authorized`. */
  readonly type: string;
  readonly objectId: string;
  /** The intent that the event concerns, if any. */
  readonly intentId: string | null;
  /** The object's fields at the event: our reference, and its status. */
  readonly orderId: string | null;
  readonly status: string | null;
}

/** Reads a webhook's body; throws `MalformedWire`. Verify its signature first. */
export const decodeWebhookEvent = (rawBody: Uint8Array): WireEvent => {
  const fields = fieldsOf(parseWireJson(rawBody), 'event');
  const data = fieldsOf(fields['data'], 'data');
  const type = text(fields, 'type');
  const objectId = text(data, 'id');
  const isIntent = type.startsWith('payment_intent.');
  return {
    id: idOf(fields, 'id', 'evt'),
    type,
    objectId,
    intentId: isIntent ? idOf(data, 'id', 'pi') : idOrNull(data, 'payment_intent', 'pi'),
    orderId: textOrNull(data, 'order_id'),
    status: textOrNull(data, 'status'),
  };
};

const statusOf = (type: string, status: string | null): string | null => {
  if (status === null) return null;
  return type.startsWith('payment_intent.') ? intentStatus(status) : attemptStatus(status);
};

/**
 * The object to read because a webhook's body names it; null if the body is no event. Verify its
 * signature first.
 */
export const hintOf = (rawBody: Uint8Array): WebhookHint | null => {
  try {
    const { id: eventId, type, intentId, orderId: reference, status } = decodeWebhookEvent(rawBody);
    const isOfPayment = /^payment(?:_intent)?\./.test(type);
    return {
      eventId,
      type,
      intentId: isOfPayment ? intentId : null,
      reference,
      status: statusOf(type, status),
    };
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    return null;
  }
};
