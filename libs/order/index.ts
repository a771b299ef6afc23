export type { RefundOrChargeback, OrderCommand } from './domain/order-command.js';
export { orderDecider } from './domain/order-decider.js';
export type {
  CapturePolicy,
  ClosingReason,
  OrderEvent,
  OrderTerms,
  PaymentMethod,
} from './domain/order-event.js';
export type { Order, PlacedOrder } from './domain/order.js';
export { orderAggregate } from './domain/order-aggregate.js';
export { ORDER_LIST, ORDER_STATUSES, PAYMENT_METHODS } from './read/order-list.js';
export { orderList } from './read/order-rows.js';
