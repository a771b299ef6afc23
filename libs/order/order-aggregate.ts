import { type Aggregate, NO_FOLLOW_UPS } from '#event-store';
import type { OrderCommand } from './domain/order-command.js';
import { orderDecider } from './domain/order-decider.js';
import type { OrderEvent } from './domain/order-event.js';
import type { Order } from './domain/order.js';

/** Orders in the log; what follows from their events is the checkout saga's business. */
export const orderAggregate: Aggregate<Order, OrderCommand, OrderEvent> = {
  streamType: 'order',
  decider: orderDecider,
  upcasters: {},
  followUps: () => NO_FOLLOW_UPS,
};
