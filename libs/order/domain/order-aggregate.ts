import { type Aggregate, NO_FOLLOW_UPS, renameFields, type Upcaster } from '#kernel';
import type { OrderCommand } from './order-command.js';
import { orderDecider } from './order-decider.js';
import type { OrderEvent } from './order-event.js';
import type { Order } from './order.js';

/** Event types of releases before 0.2.0, with their current names. */
const RENAMED: Readonly<Record<string, OrderEvent['type']>> = {
  OrderPaymentLost: 'OrderPaymentVoided',
};

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<OrderEvent['type'], readonly Upcaster[]>> = {
  OrderPlaced: [],
  OrderPaymentStarted: [],
  OrderAuthorized: [],
  OrderCancellationRequested: [],
  OrderExpiryReached: [],
  OrderPaid: [],
  OrderCaptured: [],
  OrderCaptureCorrected: [],
  OrderRefunded: [],
  OrderChargedBack: [renameFields({ response: 'reasonCode', payerResponse: 'payerReasonCode' })],
  OrderDisputeWon: [],
  OrderDebitReturned: [renameFields({ response: 'reasonCode' })],
  OrderPaymentVoided: [],
  OrderCanceled: [],
  OrderExpired: [],
  OrderFailed: [],
};

/** The aggregate of orders; the checkout saga reacts to their events. */
export const orderAggregate: Aggregate<Order, OrderCommand, OrderEvent> = {
  streamType: 'order',
  decider: orderDecider,
  upcasters: { ...UPCASTERS, ...RENAMED },
  ownerOf: (order) => (order.status === 'not_placed' ? null : order.terms),
  followUps: () => NO_FOLLOW_UPS,
};
