import { dated, type ProjectedRow, type Projection, rowsFrom } from '#projections';
import type { OrderEvent, PaymentMethod } from '../domain/order-event.js';
import type { OrderStatus } from '../domain/order.js';

/** A row of `order_list`; amounts in minor units. */
export interface OrderListRow extends ProjectedRow {
  readonly order_id: string;
  readonly platform_id: string;
  readonly merchant_id: string;
  readonly account_id: string;
  readonly methods: readonly PaymentMethod[];
  readonly reference: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly payment_id: string | null;
  readonly placed_at: string;
  readonly updated_at: string;
  /** The sum of the accepted captures, or the accepted direct debit. */
  readonly paid_minor: number;
  readonly refunded_minor: number;
  /** The sum of lost disputes, returned debits and voided payments. */
  readonly charged_back_minor: number;
}

const closing = (): Partial<OrderListRow> => ({ status: 'closing' });

const chargedBack = (
  { amountMinor }: { readonly amountMinor: number },
  { charged_back_minor: before }: OrderListRow,
): Partial<OrderListRow> => ({ status: 'paid', charged_back_minor: before + amountMinor });

const apply = dated(
  rowsFrom<OrderListRow, OrderEvent, 'OrderPlaced'>(
    {
      OrderPlaced: (event, streamId) => ({
        order_id: streamId,
        platform_id: event.platformId,
        merchant_id: event.merchantId,
        account_id: event.accountId,
        methods: event.methods,
        reference: event.reference,
        amount_minor: event.amountMinor,
        currency: event.currency,
        status: 'open',
        payment_id: null,
        placed_at: event.at,
        updated_at: event.at,
        paid_minor: 0,
        refunded_minor: 0,
        charged_back_minor: 0,
      }),
    },
    {
      OrderPaymentStarted: ({ paymentId }, { status }) => ({
        status: status === 'closing' ? 'closing' : 'open',
        payment_id: paymentId,
      }),
      OrderAuthorized: () => ({ status: 'authorized' }),
      OrderCancellationRequested: closing,
      OrderExpiryReached: closing,
      OrderPaid: ({ amountMinor }) => ({ status: 'paid', paid_minor: amountMinor }),
      OrderCaptured: ({ paidMinor }) => ({ status: 'paid', paid_minor: paidMinor }),
      OrderRefunded: ({ refundedMinor }) => ({ status: 'paid', refunded_minor: refundedMinor }),
      OrderChargedBack: chargedBack,
      OrderDebitReturned: chargedBack,
      OrderPaymentVoided: chargedBack,
      OrderDisputeWon: ({ amountMinor }, row) => chargedBack({ amountMinor: -amountMinor }, row),
      OrderCanceled: () => ({ status: 'canceled' }),
      OrderExpired: () => ({ status: 'expired' }),
      OrderFailed: () => ({ status: 'failed' }),
    },
  ),
);

/** The orders for lists and search; reading one order by its id folds its stream instead. */
export const orderList: Projection<OrderListRow> = {
  name: 'order_list',
  streamTypes: ['order'],
  keyColumn: 'order_id',
  columns: [
    'order_id',
    'platform_id',
    'merchant_id',
    'reference',
    'amount_minor',
    'currency',
    'status',
    'payment_id',
    'placed_at',
    'version',
    'refunded_minor',
    'charged_back_minor',
    'account_id',
    'methods',
    'updated_at',
    'paid_minor',
  ] satisfies readonly (keyof OrderListRow)[],
  apply,
};
