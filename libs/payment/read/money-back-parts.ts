import type { Parts, ProjectedRow } from '#projections';
import {
  evolveDisputes,
  evolveRefunds,
  isMoneyBack,
  isOfDispute,
  type MoneyBackEvent,
} from '../domain/evolve-money-back.js';
import type { PaymentEvent } from '../domain/payment-event.js';
import { type Dispute, isMade, type Refund } from '../domain/refunds-and-disputes.js';

/** With when it was last changed, and by which event. */
type Changed<One> = One & { readonly updatedAt: string; readonly version: number };

/** What a payment's row has of its refunds and disputes. */
export interface MoneyBackRows {
  readonly refunds: readonly Changed<Refund>[];
  readonly disputes: readonly Changed<Dispute>[];
}

export const NO_MONEY_BACK: MoneyBackRows = { refunds: [], disputes: [] };

/** The payment's own rules leave alone what an event does not change. */
const marked = <One extends object>(
  before: readonly Changed<One>[],
  after: readonly One[],
  updatedAt: string,
  version: number,
): readonly Changed<One>[] =>
  after.map((one) => before.find((known) => known === one) ?? { ...one, updatedAt, version });

/** A row that is not rebuilt yet lacks its older refunds; what is told of them comes with these. */
const isKnown = ({ refunds }: MoneyBackRows, event: MoneyBackEvent): boolean =>
  isOfDispute(event) ||
  event.type === 'RefundObserved' ||
  !('refundId' in event) ||
  refunds.some((one) => isMade(one) && one.refundId === event.refundId);

export const moneyBackAfter = (
  row: MoneyBackRows,
  event: PaymentEvent,
  version: number,
): Partial<MoneyBackRows> => {
  if (!isMoneyBack(event) || !isKnown(row, event)) return {};
  const { refunds, disputes } = row;
  return isOfDispute(event)
    ? { disputes: marked(disputes, evolveDisputes(disputes, event), event.at, version) }
    : { refunds: marked(refunds, evolveRefunds(refunds, event), event.at, version) };
};

/** A row of a payment, as far as its parts have it, too. */
interface Payment extends ProjectedRow, MoneyBackRows {
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

export const refundParts: Parts<Payment> = {
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

export const disputeParts: Parts<Payment> = {
  table: 'dispute_list',
  keyColumn: 'dispute_id',
  columns: ['dispute_id', ...SHARED, 'kind', 'response', 'payer_response'],
  of: (payment) =>
    payment.disputes.map((dispute) => ({
      ...sharedOf(payment, dispute),
      dispute_id: dispute.disputeId,
      kind: dispute.kind,
      response: dispute.response,
      payer_response: dispute.payerResponse,
    })),
};
