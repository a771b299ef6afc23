import { type Aggregate, NO_FOLLOW_UPS, type Upcaster } from '#kernel';
import type { OrderCommand } from './order-command.js';
import { orderDecider } from './order-decider.js';
import type { OrderEvent } from './order-event.js';
import type { Order } from './order.js';

/** The events that this release can read. */
const UPCASTERS: Readonly<Record<OrderEvent['type'], readonly Upcaster[]>> = {
  OrderPlaced: [],
  OrderPaymentStarted: [],
  OrderAuthorized: [],
  OrderCancellationRequested: [],
  OrderExpiryReached: [],
  OrderPaid: [],
  OrderCaptured: [],
  OrderRefunded: [],
  OrderChargedBack: [],
  OrderDisputeWon: [],
  OrderDebitReturned: [],
  OrderPaymentLost: [],
  OrderCanceled: [],
  OrderExpired: [],
  OrderFailed: [],
};

/** Orders in the log; what follows from their events is the checkout saga's business. */
export const orderAggregate: Aggregate<Order, OrderCommand, OrderEvent> = {
  streamType: 'order',
  decider: orderDecider,
  upcasters: UPCASTERS,
  followUps: () => NO_FOLLOW_UPS,
};
