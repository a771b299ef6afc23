import { column, dated, type Projection, type RowOf, rowsFrom } from '#projections';
import type { OrderEvent, PaymentMethod } from '../domain/order-event.js';
import type { OrderStatus } from '../domain/order.js';
import { orderSearch } from './order-search.js';

const COLUMNS = {
  order_id: column<string>(),
  platform_id: column<string>(),
  merchant_id: column<string>(),
  account_id: column<string>(),
  methods: column<readonly PaymentMethod[]>(),
  reference: column<string>(),
  amount_minor: column<number>(),
  currency: column<string>(),
  status: column<OrderStatus>(),
  payment_id: column<string | null>(),
  placed_at: column<string>(),
  updated_at: column<string>(),
  /** The sum of the accepted captures, or the accepted direct debit. */
  paid_minor: column<number>(),
  refunded_minor: column<number>(),
  /** The sum of lost disputes, returned debits and voided payments. */
  charged_back_minor: column<number>(),
};

/** A row of `order_list`; amounts in minor units. */
export type OrderListRow = RowOf<typeof COLUMNS>;

const closing = (): Partial<OrderListRow> => ({ status: 'closing' });

const captured = ({ paidMinor }: { readonly paidMinor: number }): Partial<OrderListRow> => ({
  status: 'paid',
  paid_minor: paidMinor,
});

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
      OrderCaptured: captured,
      OrderCaptureCorrected: captured,
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

/**
 * The orders for lists and search. A single order that is read by its id is computed from its event
 * stream instead.
 */
export const orderList: Projection<OrderListRow> = {
  name: 'order_list',
  streamTypes: ['order'],
  keyColumn: 'order_id',
  columns: COLUMNS,
  apply,
  journal: orderSearch,
};
