import type { EventType } from '../../storage/event-types.js';
import type { IntentMove, PaymentMove } from './states.js';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;
export type IntentEvent = Extract<EventType, `payment_intent.${string}`>;

/**
 * The event of each transition of a payment; null: no event. See
 * docs/provider/payments-completion.md#events: clients poll for clearing and disputes.
 * `payment.created` is a new attempt, `payment.succeeded` an automatic capture after approval. A
 * change of `auth` sends no separate event: it is part of the event of the transition that it
 * causes. Only the payer's arrival at the bank causes no transition, and sends `payment.updated`.
 */
export const PAYMENT_EVENTS: Readonly<Record<PaymentMove, PaymentEvent | null>> = {
  approve: 'payment.authorized',
  debit: 'payment.to_captured',
  capture: 'payment.to_captured',
  refuse: 'payment.refused',
  return: 'payment.refused',
  fail: 'payment.updated',
  expire: 'payment.updated',
  cancel: 'payment.updated',
  cut_off: null,
  clear: null,
  dispute: null,
};

/**
 * The event of each transition of an intent. Null, no event: for a capture, which has only the
 * payment's event; for clearing; and for a status that the same call replaces, because only the
 * last status of a call has an event. A change of its fields is `payment_intent.updated`.
 */
export const INTENT_EVENTS: Readonly<Record<IntentMove, IntentEvent | null>> = {
  request_authentication: 'payment_intent.updated',
  debit: 'payment_intent.updated',
  approve: 'payment_intent.authorized',
  refuse: 'payment_intent.updated',
  return: 'payment_intent.updated',
  time_out: 'payment_intent.updated',
  expire: 'payment_intent.updated',
  cancel: 'payment_intent.updated',
  // `payment.to_captured` only. See docs/provider/payments-completion.md#states: one transition,
  // one event.
  capture: null,
  cut_off: null,
  clear: null,
  // Within the same call the bank responds, or a new attempt starts.
  request_authorization: null,
  give_up: null,
};
