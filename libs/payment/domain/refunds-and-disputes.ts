import type { Instant } from '#kernel';
import type { DisputeKind, DisputeStatus } from './payment-event.js';

interface RefundBase {
  readonly amountMinor: number;
  /** The platform's own, for a refund that it asked for. */
  readonly reference: string | null;
  readonly reason: string | null;
  /** When it was asked for, or was made at the provider by somebody else. */
  readonly createdAt: Instant;
}

/**
 * A refund of a payment. `requested`: asked of us, and not seen at the provider yet; `rejected`:
 * the provider did not make it. The other statuses are the provider's.
 * docs/provider/payments-completion.md#resources.
 */
export type Refund =
  | ({
      readonly status: 'requested';
      readonly requestId: string;
      /** The request that was not made, in whose place this one was asked for. */
      readonly replaces?: string;
    } & RefundBase)
  | ({
      readonly status: 'rejected';
      readonly requestId: string;
      readonly rejection: string;
    } & RefundBase)
  | ({
      readonly status: 'to_refund' | 'refund_sent' | 'refunded' | 'not_honored' | 'failed';
      /** The provider's (`refd_…`). */
      readonly refundId: string;
      readonly requestId: string | null;
    } & RefundBase);

export type RefundStatus = Refund['status'];

export type RequestedRefund = Extract<Refund, { readonly status: 'requested' }>;

/** A refund that the provider has. */
export type MadeRefund = Extract<Refund, { readonly refundId: string }>;

export interface Dispute {
  /** The provider's (`dspt_…`). */
  readonly disputeId: string;
  readonly kind: DisputeKind;
  readonly amountMinor: number;
  readonly response: string;
  readonly payerResponse: string;
  readonly createdAt: Instant;
  readonly status: DisputeStatus;
  /** It was told that what it took comes back. */
  readonly isReversed?: true;
}

export const isMade = (refund: Refund): refund is MadeRefund => 'refundId' in refund;

const isRequested = (refund: Refund): refund is RequestedRefund => refund.status === 'requested';

/** The request that the provider has neither shown nor refused yet. */
export const openRequest = (refunds: readonly Refund[]): RequestedRefund | null =>
  refunds.find(isRequested) ?? null;

/** The refund that was asked for by this request. */
export const refundOf = (refunds: readonly Refund[], requestId: string): Refund | null =>
  refunds.find((refund) => refund.requestId === requestId) ?? null;

/**
 * Of the requests whose refund was not made the oldest of this amount: a request for as much that
 * names none takes its place, or the payer might be refunded twice.
 */
export const oldestUnmade = (
  {
    refunds,
    unmadeRefunds,
  }: {
    readonly refunds: readonly Refund[];
    readonly unmadeRefunds: readonly string[];
  },
  amountMinor: number,
): string | undefined =>
  unmadeRefunds.find((one) => refundOf(refunds, one)?.amountMinor === amountMinor);

const DISPUTE_ENDS: ReadonlySet<DisputeStatus> = new Set([
  'accepted',
  'won',
  'lost',
  'out_of_time',
  'not_contestable',
]);

export const isDisputeOver = (status: DisputeStatus): boolean => DISPUTE_ENDS.has(status);

const TAKING: ReadonlySet<RefundStatus> = new Set([
  'requested',
  'to_refund',
  'refund_sent',
  'refunded',
]);

const sum = (refunds: readonly Refund[]): number =>
  refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Minor units that can be refunded no second time: asked for, on their way, and given back. */
export const takenByRefunds = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ status }) => TAKING.has(status)));

/** Minor units that the payer has got back. */
export const refundedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ status }) => status === 'refunded'));
