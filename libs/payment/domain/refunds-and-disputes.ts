import type { Instant } from '#kernel';
import type { ObservedRefund } from './observation.js';
import type { DisputeKind, DisputeStatus } from './payment-event.js';

interface RefundBase {
  readonly amountMinor: number;
  /** The platform's reference of the refund, if the platform requested it. */
  readonly reference: string | null;
  readonly reason: string | null;
  /** When the refund was requested, or when it was made directly at the provider. */
  readonly createdAt: Instant;
}

/**
 * A refund of a payment. `queued`: it is requested once the capture is sent to clearing, about at
 * `expectedAt`. `requested`: it was requested, and no read has shown it yet.
 * `rejected`: the provider did not execute the request. The other statuses are those of the
 * provider. docs/provider/payments-completion.md#resources.
 */
export type Refund =
  | ({
      readonly status: 'queued';
      readonly requestId: string;
      readonly expectedAt: Instant;
    } & RefundBase)
  | ({
      readonly status: 'requested';
      readonly requestId: string;
      /**
       * The earlier request that this request replaces; the provider did not execute the earlier
       * request.
       */
      readonly replaces?: string;
    } & RefundBase)
  | ({
      readonly status: 'rejected';
      readonly requestId: string;
      readonly rejection: string;
    } & RefundBase)
  | ({
      readonly status: 'to_refund' | 'refund_sent' | 'refunded' | 'not_honored' | 'failed';
      /** The provider's id of the refund (`refd_…`). */
      readonly refundId: string;
      readonly requestId: string | null;
    } & RefundBase);

export type RefundStatus = Refund['status'];

export type QueuedRefund = Extract<Refund, { readonly status: 'queued' }>;

export type RequestedRefund = Extract<Refund, { readonly status: 'requested' }>;

/** A refund that exists at the provider. */
export type MadeRefund = Extract<Refund, { readonly refundId: string }>;

export interface Dispute {
  /** The provider's id of the dispute (`dspt_…`). */
  readonly disputeId: string;
  readonly kind: DisputeKind;
  readonly amountMinor: number;
  readonly reasonCode: string;
  readonly payerReasonCode: string;
  readonly createdAt: Instant;
  readonly status: DisputeStatus;
  /** Present if the disputed amount was returned to the merchant. */
  readonly isReversed?: true;
}

/** Whether any dispute was not won by the merchant, so that the payer has the disputed amount. */
export const isDisputeStanding = (disputes: readonly Pick<Dispute, 'isReversed'>[]): boolean =>
  disputes.some(({ isReversed = false }) => !isReversed);

export const isMade = (refund: Refund): refund is MadeRefund => 'refundId' in refund;

/** The refunds of a read that our event log does not contain. */
export const unrecordedRefunds = (
  refunds: readonly Refund[],
  seen: readonly ObservedRefund[] | null,
): readonly ObservedRefund[] => {
  const known = new Set(refunds.filter(isMade).map(({ refundId }) => refundId));
  return (seen ?? []).filter(({ refundId }) => !known.has(refundId));
};

const isRequested = (refund: Refund): refund is RequestedRefund => refund.status === 'requested';

/** The refunds that wait for the capture to be sent to clearing, oldest first. */
export const queuedRefunds = (refunds: readonly Refund[]): readonly QueuedRefund[] =>
  refunds.filter((refund): refund is QueuedRefund => refund.status === 'queued');

/** The refund request that the provider has neither shown nor rejected yet. */
export const openRequest = (refunds: readonly Refund[]): RequestedRefund | null =>
  refunds.find(isRequested) ?? null;

/** The refund of this request. */
export const refundOf = (refunds: readonly Refund[], requestId: string): Refund | null =>
  refunds.find((refund) => refund.requestId === requestId) ?? null;

/**
 * The oldest request for this amount that the provider did not execute; with a `reference`, the
 * oldest one with this reference, or without one if it is null.
 */
export const oldestRejectedRefund = (
  {
    refunds,
    rejectedRefunds,
  }: {
    readonly refunds: readonly Refund[];
    readonly rejectedRefunds: readonly string[];
  },
  amountMinor: number,
  reference?: string | null,
): string | undefined =>
  rejectedRefunds.find((one) => {
    const refund = refundOf(refunds, one);
    const isLike = reference === undefined || refund?.reference === reference;
    return refund?.amountMinor === amountMinor && isLike;
  });

const DISPUTE_ENDS: ReadonlySet<DisputeStatus> = new Set([
  'accepted',
  'won',
  'lost',
  'out_of_time',
  'not_contestable',
]);

export const isDisputeOver = (status: DisputeStatus): boolean => DISPUTE_ENDS.has(status);

const TAKING: ReadonlySet<RefundStatus> = new Set([
  'queued',
  'requested',
  'to_refund',
  'refund_sent',
  'refunded',
]);

const sum = (refunds: readonly Refund[]): number =>
  refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

/**
 * Whether the refund is queued, requested, in progress or done, so that its amount cannot be
 * refunded again.
 */
export const isTaking = ({ status }: Refund): boolean => TAKING.has(status);

/** The amount in minor units of all refunds that are taking. */
export const takenByRefunds = (refunds: readonly Refund[]): number => sum(refunds.filter(isTaking));

/** The amount in minor units that the payer has received back. */
export const refundedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ status }) => status === 'refunded'));
