/**
 * The types of the events that are sent. `payment_intent.captured`, `payment.captured`,
 * `payment.disputed` and `subscription.unpaid` are never sent, and refunds and payouts have no
 * events, so clients poll for these changes. See docs/provider/payments-completion.md#events.
 */
export const EVENT_TYPES = [
  'customer.created',
  'customer.deleted',
  'card.created',
  'mandate.created',
  'mandate.signed',
  'payment_intent.created',
  'payment_intent.updated',
  'payment_intent.authorized',
  'payment.created',
  'payment.updated',
  'payment.authorized',
  'payment.succeeded',
  'payment.to_captured',
  'payment.refused',
  'product.created',
  'product.updated',
  'product.deleted',
  'price.created',
  'price.updated',
  'price.deleted',
  'subscription.created',
  'subscription.updated',
  'subscription.deleted',
  'subscription.past_due',
  'subscription.canceled',
  'subscription.resumed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
