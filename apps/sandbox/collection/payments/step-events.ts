import type { EventType } from '../../storage/event-types.js';
import type { IntentMove, PaymentMove } from './states.js';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;
export type IntentEvent = Extract<EventType, `payment_intent.${string}`>;

/**
 * The event of each transition of a payment; null: none.
 * docs/provider/payments-completion.md#events: clients poll for clearing and disputes.
 * `payment.created` is a new attempt, `payment.succeeded` an automatic capture after approval. A
 * transition of `auth` is published with the resulting transition of the payment; the payer's
 * arrival at the bank, which has none, by `payment.updated`.
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
 * The event of each transition of an intent. Every status change has an event of its own, except: a
 * capture, whose only event is its payment's; clearing, which has none; and a status that the same
 * call leaves again, which has only the event of the final status. A change of its fields is
 * `payment_intent.updated`.
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
  // `payment.to_captured` only. docs/provider/payments-completion.md#states: one transition, one
  // event.
  capture: null,
  cut_off: null,
  clear: null,
  // The bank responds, or a new attempt starts, before a client could read the intent.
  request_authorization: null,
  give_up: null,
};
