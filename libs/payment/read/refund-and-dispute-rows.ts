import type { Parts, ProjectedRow } from '#projections';
import {
  evolveDisputes,
  evolveRefunds,
  isRefundOrDispute,
  isOfDispute,
  type RefundOrDisputeEvent,
} from '../domain/evolve-refunds-and-disputes.js';
import type { PaymentEvent } from '../domain/payment-event.js';
import { type Dispute, isMade, type Refund } from '../domain/refunds-and-disputes.js';

/** A refund or dispute with the time and the event of its last change. */
type Changed<One> = One & { readonly updatedAt: string; readonly version: number };

/** The refunds and disputes of a payment's row. */
export interface RefundAndDisputeRows {
  readonly refunds: readonly Changed<Refund>[];
  readonly disputes: readonly Changed<Dispute>[];
}

export const NO_REFUNDS_OR_DISPUTES: RefundAndDisputeRows = { refunds: [], disputes: [] };

/**
 * Adds the event and its time to each refund or dispute that the event changed. An unchanged refund
 * or dispute is the same object as before the event.
 */
const marked = <One extends object>(
  before: readonly Changed<One>[],
  after: readonly One[],
  updatedAt: string,
  version: number,
): readonly Changed<One>[] =>
  after.map((one) => before.find((known) => known === one) ?? { ...one, updatedAt, version });

/**
 * Whether the row contains the refund of the event. Until the projection is rebuilt, a row may lack
 * older refunds; the events of these refunds are skipped.
 */
const isKnown = ({ refunds }: RefundAndDisputeRows, event: RefundOrDisputeEvent): boolean =>
  isOfDispute(event) ||
  event.type === 'RefundObserved' ||
  !('refundId' in event) ||
  refunds.some((one) => isMade(one) && one.refundId === event.refundId);

export const refundsAndDisputesAfter = (
  row: RefundAndDisputeRows,
  event: PaymentEvent,
  version: number,
): Partial<RefundAndDisputeRows> => {
  if (!isRefundOrDispute(event) || !isKnown(row, event)) return {};
  const { refunds, disputes } = row;
  return isOfDispute(event)
    ? { disputes: marked(disputes, evolveDisputes(disputes, event), event.at, version) }
    : { refunds: marked(refunds, evolveRefunds(refunds, event), event.at, version) };
};

/** The columns of a payment's row that the rows of its refunds and disputes use. */
interface Payment extends ProjectedRow, RefundAndDisputeRows {
  readonly payment_id: string;
  readonly order_id: string;
  readonly platform_id: string;
  readonly account_id: string;
  readonly currency: string;
  readonly method: string | null;
}

/** How each column of a list is computed from a refund or dispute and its payment. */
type ValueOf<One> = Readonly<Record<string, (one: One, payment: Payment) => unknown>>;

const SHARED: ValueOf<Changed<Refund> | Changed<Dispute>> = {
  payment_id: (_, payment) => payment.payment_id,
  order_id: (_, payment) => payment.order_id,
  platform_id: (_, payment) => payment.platform_id,
  account_id: (_, payment) => payment.account_id,
  currency: (_, payment) => payment.currency,
  method: (_, payment) => payment.method,
  amount_minor: (one) => one.amountMinor,
  status: (one) => one.status,
  created_at: (one) => one.createdAt,
  updated_at: (one) => one.updatedAt,
  version: (one) => one.version,
};

const partsOf = <One>(
  table: string,
  keyColumn: string,
  listOf: (payment: Payment) => readonly One[],
  values: ValueOf<One>,
): Parts<Payment> => ({
  table,
  keyColumn,
  columns: Object.keys(values),
  of: (payment) =>
    listOf(payment).map((one) =>
      Object.fromEntries(Object.entries(values).map(([name, of]) => [name, of(one, payment)])),
    ),
});

export const refundRows = partsOf<Changed<Refund>>(
  'refund_list',
  'refund_id',
  ({ refunds }) => refunds,
  {
    ...SHARED,
    refund_id: (refund) =>
      isMade(refund) ? (refund.requestId ?? refund.refundId) : refund.requestId,
    provider_refund_id: (refund) => (isMade(refund) ? refund.refundId : null),
    requested: ({ requestId }) => requestId !== null,
    reference: ({ reference }) => reference,
    reason: ({ reason }) => reason,
    rejection_reason: (refund) => (refund.status === 'rejected' ? refund.rejection : null),
  },
);

export const disputeRows = partsOf<Changed<Dispute>>(
  'dispute_list',
  'dispute_id',
  ({ disputes }) => disputes,
  {
    ...SHARED,
    dispute_id: ({ disputeId }) => disputeId,
    kind: ({ kind }) => kind,
    reason_code: ({ reasonCode }) => reasonCode,
    payer_reason_code: ({ payerReasonCode }) => payerReasonCode,
  },
);
