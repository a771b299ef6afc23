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
 * Marks changed refunds or disputes with the event: the domain's functions return an unchanged one
 * as the same object.
 */
const marked = <One extends object>(
  before: readonly Changed<One>[],
  after: readonly One[],
  updatedAt: string,
  version: number,
): readonly Changed<One>[] =>
  after.map((one) => before.find((known) => known === one) ?? { ...one, updatedAt, version });

/**
 * Whether the row has the event's refund. A row from before the rebuild lacks older refunds, so
 * their events are skipped.
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

/** The columns of a payment's row that its refunds and disputes also need. */
interface Payment extends ProjectedRow, RefundAndDisputeRows {
  readonly payment_id: string;
  readonly order_id: string;
  readonly platform_id: string;
  readonly account_id: string;
  readonly currency: string;
  readonly method: string | null;
}

const SHARED = [
  'payment_id',
  'order_id',
  'platform_id',
  'account_id',
  'currency',
  'method',
  'amount_minor',
  'status',
  'created_at',
  'updated_at',
  'version',
] as const;

const sharedOf = (payment: Payment, one: Changed<Refund> | Changed<Dispute>) => {
  const { payment_id, order_id, platform_id, account_id, currency, method } = payment;
  return {
    payment_id,
    order_id,
    platform_id,
    account_id,
    currency,
    method,
    amount_minor: one.amountMinor,
    status: one.status,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    version: one.version,
  };
};

export const refundRows: Parts<Payment> = {
  table: 'refund_list',
  keyColumn: 'refund_id',
  columns: [
    'refund_id',
    ...SHARED,
    'provider_refund_id',
    'requested',
    'reference',
    'reason',
    'rejection_reason',
  ],
  of: (payment) =>
    payment.refunds.map((refund) => ({
      ...sharedOf(payment, refund),
      refund_id: isMade(refund) ? (refund.requestId ?? refund.refundId) : refund.requestId,
      provider_refund_id: isMade(refund) ? refund.refundId : null,
      requested: refund.requestId !== null,
      reference: refund.reference,
      reason: refund.reason,
      rejection_reason: refund.status === 'rejected' ? refund.rejection : null,
    })),
};

export const disputeRows: Parts<Payment> = {
  table: 'dispute_list',
  keyColumn: 'dispute_id',
  columns: ['dispute_id', ...SHARED, 'kind', 'reason_code', 'payer_reason_code'],
  of: (payment) =>
    payment.disputes.map((dispute) => ({
      ...sharedOf(payment, dispute),
      dispute_id: dispute.disputeId,
      kind: dispute.kind,
      reason_code: dispute.reasonCode,
      payer_reason_code: dispute.payerReasonCode,
    })),
};
