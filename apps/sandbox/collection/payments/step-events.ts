import type { EventType } from '../../storage/event-types.js';
import type { IntentMove, PaymentMove } from './states.js';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;
export type IntentEvent = Extract<EventType, `payment_intent.${string}`>;

/**
 * What tells each step of a payment; null: nothing does.
 * docs/provider/payments-completion.md#events: clearing and disputes are learnt by reading.
 * `payment.created` tells that one has begun, `payment.succeeded` that the capture of an approved
 * one was automatic. A step of its `auth` is told with the payment's step that comes of it; the
 * payer's arrival at the bank, of which none comes, by `payment.updated`.
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
 * What tells each step of an intent. Every change of its status is told by an event of its own, but
 * for three: a capture is one event, its payment's; clearing is told by nothing; and a status that
 * the same call leaves again is told by the one that it ends in. A change of its fields is
 * `payment_intent.updated` too.
 */
export const INTENT_EVENTS: Readonly<Record<IntentMove, IntentEvent | null>> = {
  ask_authentication: 'payment_intent.updated',
  debit: 'payment_intent.updated',
  approve: 'payment_intent.authorized',
  refuse: 'payment_intent.updated',
  return: 'payment_intent.updated',
  time_out: 'payment_intent.updated',
  expire: 'payment_intent.updated',
  cancel: 'payment_intent.updated',
  // `payment.to_captured` alone. docs/provider/payments-completion.md#states: one transition and
  // one event.
  capture: null,
  cut_off: null,
  clear: null,
  // The bank answers, or a new attempt begins, before anybody could read the intent.
  ask_authorization: null,
  give_up: null,
};
