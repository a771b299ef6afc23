import { type Instant, msOf } from '#kernel';
import { capturedMinor, hasMoney, type MoneyPayment, refundCeilingMinor } from './captured.js';
import { payerResponseOf } from './dispute-reasons.js';
import { CLOCK_SKEW_MS } from './lost-time.js';
import type { ObservedDispute, ObservedRefund } from './observation.js';
import type { DisputeStatus, PaymentEvent } from './payment-event.js';
import type { Payment } from './payment.js';
import {
  type Dispute,
  isMade,
  type MadeRefund,
  openRequest,
  type RequestedRefund,
  takenByRefunds,
} from './refunds-and-disputes.js';

/**
 * The payments that may have refunds. A returned debit may have refunds, too: refunds that were not
 * sent yet fail when the debit is returned.
 */
type RefundedPayment = Extract<
  Payment,
  { readonly status: 'capture_sent' | 'captured' | 'returned' }
>;

export const mayHaveRefunds = (payment: Payment): payment is RefundedPayment =>
  hasMoney(payment) || payment.status === 'returned';

/**
 * Whether a new refund at the provider may be the result of our request. This must be inferred,
 * because the provider's refund contains no reference of ours. `may be ours`: the read was made for
 * our request, or the result of our request is unknown. `others`: our request was not sent yet.
 * `undecided`: neither is known, so a refund of the requested amount is not recorded by this read.
 */
export type Whose = 'may be ours' | 'others' | 'undecided';

type Aspect = 'refund' | 'dispute' | 'currency';

const mismatch = (
  aspect: Aspect,
  expected: string,
  observed: string,
  at: Instant,
): PaymentEvent => ({ type: 'PaymentMismatchObserved', aspect, expected, observed, at });

/**
 * The sequence of the statuses of a refund. The last three statuses are final, and a refund reaches
 * only one of them.
 */
const REFUND_ORDER: Readonly<Record<MadeRefund['status'], number>> = {
  to_refund: 0,
  refund_sent: 1,
  refunded: 2,
  not_honored: 2,
  failed: 2,
};

const isRefundStatus = (status: string): status is MadeRefund['status'] =>
  Object.hasOwn(REFUND_ORDER, status);

type Identity = Pick<MadeRefund, 'refundId' | 'requestId' | 'amountMinor'>;

/** The events that lead from the recorded status to the observed status. */
const moves = (
  from: MadeRefund['status'],
  to: MadeRefund['status'],
  refund: Identity,
  at: Instant,
): PaymentEvent[] => {
  const { refundId, requestId, amountMinor } = refund;
  const identity = { refundId, requestId, amountMinor };
  const sent: PaymentEvent[] =
    from === 'to_refund' ? [{ type: 'RefundSent', ...identity, at }] : [];
  switch (to) {
    case 'to_refund':
      return [];
    case 'refund_sent':
      return sent;
    case 'refunded':
      return [...sent, { type: 'RefundSucceeded', ...identity, at }];
    case 'not_honored':
      return [...sent, { type: 'RefundFailed', outcome: to, ...identity, at }];
    case 'failed':
      return [{ type: 'RefundFailed', outcome: to, ...identity, at }];
  }
};

const progress = (known: MadeRefund, seen: ObservedRefund, at: Instant): PaymentEvent[] => {
  const { refundId, status: observed } = seen;
  const recorded = `${refundId} ${known.status}`;
  if (!isRefundStatus(observed)) return [mismatch('refund', recorded, observed, at)];
  if (known.status === observed) return [];
  const [from, to] = [REFUND_ORDER[known.status], REFUND_ORDER[observed]];
  if (from < to) return moves(known.status, observed, known, at);
  return from === to ? [mismatch('refund', recorded, observed, at)] : [];
};

/**
 * The amount in minor units that can still be refunded, considering only refunds that the provider
 * shows.
 */
const leftAtProvider = (payment: RefundedPayment): number =>
  refundCeilingMinor(payment) - takenByRefunds(payment.refunds.filter(isMade));

/**
 * Whether the provider's refund may be the result of the request: it has the requested amount, and
 * it was not made before the request.
 */
export const mayResultFrom = (wanted: RequestedRefund, seen: ObservedRefund): boolean =>
  seen.amountMinor === wanted.amountMinor &&
  msOf(seen.createdAt) >= msOf(wanted.createdAt) - CLOCK_SKEW_MS;

/** How a read that shows a refund was made. */
interface RefundRead {
  readonly whose: Whose;
  /** The refund that the response to our request shows; null if the read is no such response. */
  readonly ourRefundId: string | null;
  readonly at: Instant;
}

/**
 * Records one refund as a read of the provider shows it; the refunds of a read are recorded oldest
 * first.
 */
export const observeRefund = (
  payment: RefundedPayment,
  seen: ObservedRefund,
  { whose, ourRefundId, at }: RefundRead,
): PaymentEvent[] => {
  const { refundId, amountMinor, currency, status, createdAt } = seen;
  const { terms, refunds } = payment;
  if (currency !== terms.currency) return [mismatch('currency', terms.currency, currency, at)];
  const known = refunds.filter(isMade).find((refund) => refund.refundId === refundId);
  if (known) return progress(known, seen, at);
  const open = openRequest(refunds);
  // The response shows our refund, even if the provider's clock is wrong.
  const isAnswer = refundId === ourRefundId && open?.amountMinor === amountMinor;
  const isLikeOurs = open !== null && (isAnswer || mayResultFrom(open, seen));
  if (isLikeOurs && whose === 'undecided') return [];
  const didTake = status !== 'not_honored' && status !== 'failed';
  const leftMinor = leftAtProvider(payment);
  if (didTake && amountMinor > leftMinor) {
    return [mismatch('refund', `at most ${leftMinor}`, `${refundId} ${amountMinor}`, at)];
  }
  const requestId = isLikeOurs && whose === 'may be ours' ? open.requestId : null;
  const identity = { refundId, requestId, amountMinor };
  const made: PaymentEvent = { type: 'RefundObserved', ...identity, createdAt, at };
  if (isRefundStatus(status)) return [made, ...moves('to_refund', status, identity, at)];
  return [made, mismatch('refund', `${refundId} to_refund`, status, at)];
};

const DISPUTE_ORDER: Readonly<Record<DisputeStatus, number>> = {
  open: 0,
  evidence_pending: 1,
  evidence_sent: 2,
  evidence_verification: 3,
  accepted: 4,
  won: 4,
  lost: 4,
  out_of_time: 4,
  not_contestable: 4,
};

const isDisputeStatus = (status: string): status is DisputeStatus =>
  Object.hasOwn(DISPUTE_ORDER, status);

type Standing = Pick<Dispute, 'disputeId' | 'amountMinor' | 'status' | 'isReversed'>;

const disputeMove = (dispute: Standing, observed: string, at: Instant): PaymentEvent[] => {
  const { disputeId, amountMinor, status: known, isReversed = false } = dispute;
  const recorded = `${disputeId} ${known}`;
  if (!isDisputeStatus(observed)) return [mismatch('dispute', recorded, observed, at)];
  const reversal: PaymentEvent[] =
    observed === 'won' && !isReversed
      ? [{ type: 'DisputeReversed', disputeId, amountMinor, at }]
      : [];
  // Even if the status has not changed, the returned amount is recorded if it is missing: older
  // releases recorded that a dispute was won, but not the returned amount.
  if (known === observed) return reversal;
  const [from, to] = [DISPUTE_ORDER[known], DISPUTE_ORDER[observed]];
  if (from < to)
    return [{ type: 'DisputeStatusChanged', disputeId, status: observed, at }, ...reversal];
  return from === to ? [mismatch('dispute', recorded, observed, at)] : [];
};

/**
 * The sum of the disputed amounts in minor units, without disputes whose amount was returned to the
 * merchant.
 */
const takenByDisputes = (disputes: readonly Dispute[]): number =>
  disputes
    .filter(({ isReversed = false }) => !isReversed)
    .reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Records one dispute as a read of the provider shows it. */
export const observeDispute = (
  payment: MoneyPayment,
  seen: ObservedDispute,
  at: Instant,
): PaymentEvent[] => {
  const { disputeId, kind, amountMinor, currency, feeMinor, reasonCode, status, createdAt } = seen;
  const { terms, disputes } = payment;
  if (currency !== terms.currency) return [mismatch('currency', terms.currency, currency, at)];
  const known = disputes.find((dispute) => dispute.disputeId === disputeId);
  if (known) return disputeMove(known, status, at);
  const leftMinor = capturedMinor(payment) - takenByDisputes(disputes);
  if (amountMinor > leftMinor) {
    return [mismatch('dispute', `at most ${leftMinor}`, `${disputeId} ${amountMinor}`, at)];
  }
  const payerReasonCode = payerResponseOf(reasonCode);
  return [
    {
      type: 'DisputeObserved',
      disputeId,
      kind,
      amountMinor,
      feeMinor,
      reasonCode,
      payerReasonCode,
      createdAt,
      at,
    },
    ...disputeMove({ disputeId, amountMinor, status: 'open' }, status, at),
  ];
};
