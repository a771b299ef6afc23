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

const decodeHint = (rawBody: Uint8Array): WebhookHint => {
  const fields = fieldsOf(parseWireJson(rawBody), 'event');
  const data = fieldsOf(fields['data'], 'data');
  // `<object_type>.<event>`, e.g. `payment.authorized`.
  const type = text(fields, 'type');
  // Each event is of an object with an id; a body without one is no event.
  text(data, 'id');
  const eventId = idOf(fields, 'id', 'evt');
  const reference = textOrNull(data, 'order_id');
  const status = textOrNull(data, 'status');
  if (type.startsWith('payment_intent.')) {
    const intentId = idOf(data, 'id', 'pi');
    return { eventId, type, intentId, reference, status: status && intentStatus(status) };
  }
  const intentId = type.startsWith('payment.') ? idOrNull(data, 'payment_intent', 'pi') : null;
  return { eventId, type, intentId, reference, status: status && attemptStatus(status) };
};

/**
 * The object to read because a webhook's body names it; its fields are only a hint. Null if the
 * body is no event. Verify its signature first.
 */
export const hintOf = (rawBody: Uint8Array): WebhookHint | null => {
  try {
    return decodeHint(rawBody);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    return null;
  }
};
