/**
 * Completion, "Events": the types that are sent. Captured, disputed, refunds and payouts are never
 * told: a client learns them by reading. Types of resources that come later are added with them.
 */
export const EVENT_TYPES = [
  'customer.created',
  'card.created',
  'payment_intent.created',
  'payment_intent.updated',
  'payment_intent.authorized',
  'payment.created',
  'payment.updated',
  'payment.authorized',
  'payment.succeeded',
  'payment.to_captured',
  'payment.refused',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
