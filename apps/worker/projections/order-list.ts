import { assert, assertNever } from '#kernel';
import type { RecordedEvent } from '#event-store';
import type { OrderEvent, OrderStatus } from '#order';
import type { ProjectedRow, Projection } from './projection.js';

/** A row of `order_list`, by its columns; money in minor units. */
export interface OrderListRow extends ProjectedRow {
  readonly order_id: string;
  readonly platform_id: string;
  readonly merchant_id: string;
  readonly reference: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly payment_id: string | null;
  readonly placed_at: string;
  readonly refunded_minor: number;
  /** By chargebacks that were not won, returned debits and payments that never came. */
  readonly taken_back_minor: number;
}

type Later = Exclude<OrderEvent, { type: 'OrderPlaced' }>;

const statusAfter = (before: OrderStatus, event: Later): OrderStatus => {
  switch (event.type) {
    case 'OrderPaymentStarted':
      return before === 'closing' ? 'closing' : 'open';
    case 'OrderAuthorized':
      return 'authorized';
    case 'OrderCancellationRequested':
    case 'OrderExpiryReached':
      return 'closing';
    case 'OrderPaid':
    case 'OrderRefunded':
    case 'OrderChargedBack':
    case 'OrderDisputeWon':
    case 'OrderDebitReturned':
    case 'OrderPaymentLost':
      return 'paid';
    case 'OrderCanceled':
      return 'canceled';
    case 'OrderExpired':
      return 'expired';
    case 'OrderFailed':
      return 'failed';
    default:
      return assertNever(event);
  }
};

const moneyBackAfter = (
  { refunded_minor: refundedMinor, taken_back_minor: takenBackMinor }: OrderListRow, event: Later,
): Pick<OrderListRow, 'refunded_minor' | 'taken_back_minor'> => {
  switch (event.type) {
    case 'OrderRefunded':
      return { refunded_minor: event.refundedMinor, taken_back_minor: takenBackMinor };
    case 'OrderChargedBack':
    case 'OrderDebitReturned':
    case 'OrderPaymentLost':
      return {
        refunded_minor: refundedMinor, taken_back_minor: takenBackMinor + event.amountMinor,
      };
    case 'OrderDisputeWon':
      return {
        refunded_minor: refundedMinor, taken_back_minor: takenBackMinor - event.amountMinor,
      };
    case 'OrderPaymentStarted':
    case 'OrderAuthorized':
    case 'OrderCancellationRequested':
    case 'OrderExpiryReached':
    case 'OrderPaid':
    case 'OrderCanceled':
    case 'OrderExpired':
    case 'OrderFailed':
      return { refunded_minor: refundedMinor, taken_back_minor: takenBackMinor };
    default:
      return assertNever(event);
  }
};

const apply = (row: OrderListRow | null, recorded: RecordedEvent): OrderListRow => {
  const { streamId, version, type, data } = recorded;
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as OrderEvent;
  if (event.type === 'OrderPlaced') {
    return {
      order_id: streamId,
      platform_id: event.platformId,
      merchant_id: event.merchantId,
      reference: event.reference,
      amount_minor: event.amountMinor,
      currency: event.currency,
      status: 'open',
      payment_id: null,
      placed_at: event.at,
      refunded_minor: 0,
      taken_back_minor: 0,
      version,
    };
  }
  assert(row !== null, 'an order is placed before anything else happens to it');
  const paymentId = event.type === 'OrderPaymentStarted' ? event.paymentId : row.payment_id;
  return {
    ...row, status: statusAfter(row.status, event), payment_id: paymentId, version,
    ...moneyBackAfter(row, event),
  };
};

/** Orders for lists and search; GET by id folds the stream instead. */
export const orderList: Projection<OrderListRow> = {
  name: 'order_list',
  streamTypes: ['order'],
  keyColumn: 'order_id',
  columns: [
    'order_id', 'platform_id', 'merchant_id', 'reference', 'amount_minor', 'currency', 'status',
    'payment_id', 'placed_at', 'version', 'refunded_minor', 'taken_back_minor',
  ] satisfies readonly (keyof OrderListRow)[],
  apply,
};
