import type { WebhookHint } from '#psp';
import { attemptStatus, intentStatus } from './statuses.js';
import {
  fieldsOf,
  idOf,
  idOrNull,
  jsonOf,
  jsonValue,
  MalformedWire,
  text,
  textOrNull,
} from './wire-decode.js';

const decodeHint = (rawBody: Uint8Array): WebhookHint => {
  const fields = fieldsOf(jsonValue(jsonOf(rawBody)), 'event');
  const data = fieldsOf(fields['data'], 'data');
  // `<object_type>.<event>`, e.g. `payment.authorized`.
  const type = text(fields, 'type');
  // The object of the event always has an id; a body without an id is not an event.
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
 * Which object to read, according to the body of a webhook. The other fields of the body are not
 * used, because the object itself is read. Null if the body is not an event. Verify the signature
 * first.
 */
export const hintOf = (rawBody: Uint8Array): WebhookHint | null => {
  try {
    return decodeHint(rawBody);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    return null;
  }
};
