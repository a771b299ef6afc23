import type { EventType } from '../webhooks/event-types.js';
import type { IntentMove, PaymentMove } from './states.js';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;
export type IntentEvent = Extract<EventType, `payment_intent.${string}`>;

/**
 * What tells each step of a payment; null: nothing does. Completion, "Events": clearing and disputes
 * are learnt by reading. `payment.created` tells that one has begun, and `payment.succeeded` that
 * the capture of an approved one was automatic.
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
 * What tells each step of an intent. `payment_intent.updated` tells exactly those that no other
 * event names: its payment's event is `payment.updated`, which only says that something is
 * different, or there is none. So a capture is one event, and a client that reads the intent at each
 * event of it or of its payments misses nothing that is told at all. A change of its fields is
 * `payment_intent.updated` too.
 */
export const INTENT_EVENTS: Readonly<Record<IntentMove, IntentEvent | null>> = {
  // An attempt begins: `payment.created` names it, and what the attempt before came to is over.
  ask_authentication: null,
  ask_authorization: null,
  give_up: null,
  // Named by the payment's own event.
  debit: null,
  capture: null,
  refuse: null,
  return: null,
  approve: 'payment_intent.authorized',
  time_out: 'payment_intent.updated',
  expire: 'payment_intent.updated',
  cancel: 'payment_intent.updated',
  // Clearing is told by nothing.
  cut_off: null,
  clear: null,
};
