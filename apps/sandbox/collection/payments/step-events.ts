import type { EventType } from '../../storage/event-types.js';
import type { IntentMove, PaymentMove } from './states.js';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;
export type IntentEvent = Extract<EventType, `payment_intent.${string}`>;

/**
 * The event that each transition of a payment sends. Null: no event; clients poll for clearing and
 * disputes (docs/provider/payments-completion.md#events). The event of an approval is sent when the
 * payer's browser has confirmed it, and immediately without a payer. A new attempt sends
 * `payment.created`, an automatic capture after approval `payment.succeeded`. The payer's arrival at
 * the bank changes only `auth`, and sends `payment.updated`; any other change of `auth` belongs to a
 * transition, which sends the event.
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
 * The event of each transition of an intent. Null means no event: a capture sends only the
 * payment's event, clearing sends none, and when one call makes several transitions, only the last
 * sends an event. A change of the intent's fields sends `payment_intent.updated`.
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
  // A capture sends only `payment.to_captured`, because one transition sends one event
  // (docs/provider/payments-completion.md#states).
  capture: null,
  cut_off: null,
  clear: null,
  // In the same call, another transition follows (the bank's response, or a new attempt), which
  // sends the event.
  request_authorization: null,
  give_up: null,
};
