import type { PaymentEvent } from '../domain/payment-event.js';
import {
  type Dispute,
  isDisputeStanding,
  isMade,
  isTaking,
  oldestRejectedRefund,
  openRequest,
  type Refund,
  refundOf,
} from '../domain/refunds-and-disputes.js';

/**
 * A refund that failed or had an unknown result, and that the payer is still owed. Unlike a failed
 * request, an owed refund ends only when the payer has the money, or when an approver decides that
 * no refund is owed: a new request that replaces the failed one is the same owed refund.
 */
export interface OwedRefund {
  /** The first request (`rfr_…`), which names the owed refund for its whole life. */
  readonly requestId: string;
  /** The newest request that replaces the first; the first itself until it is replaced. */
  readonly current: string;
  readonly amountMinor: number;
  /** When the first request was made. */
  readonly since: string;
  /**
   * Present while a dispute stands, through which the payer has received the money. The refund is
   * owed again if the merchant wins every dispute.
   */
  readonly disputed?: true;
}

interface PaymentRow {
  readonly refunds: readonly Refund[];
  readonly rejected_refunds: readonly string[];
  readonly owed_refunds: readonly OwedRefund[];
  readonly disputed: boolean;
  readonly disputes: readonly Dispute[];
  readonly status: string;
}

/** Returns the open refund request, whose result is unknown, as a newly owed refund. */
const unknownOwed = (row: PaymentRow): readonly OwedRefund[] => {
  const refund = openRequest(row.refunds);
  const isOwed = !row.disputed && row.status !== 'returned';
  if (refund === null || !isOwed) return [];
  const { requestId, amountMinor, createdAt: since } = refund;
  if (row.owed_refunds.some(({ current }) => current === requestId)) return [];
  return [{ requestId, current: requestId, amountMinor, since }];
};

/**
 * Adds a refund whose request fails while a dispute stands. It is owed only if the merchant wins
 * the dispute.
 */
const owedUnlessDisputed = (row: PaymentRow, event: PaymentEvent): readonly OwedRefund[] => {
  const { owed_refunds: owed, refunds, disputes, status } = row;
  const isFailure = event.type === 'RefundRejected' || event.type === 'RefundFailed';
  if (!isFailure || event.requestId === null) return owed;
  if (!isDisputeStanding(disputes) || status === 'returned') return owed;
  const { requestId } = event;
  const refund = refundOf(refunds, requestId);
  if (refund === null || owed.some(({ current }) => current === requestId)) return owed;
  const { amountMinor, createdAt: since } = refund;
  return [...owed, { requestId, current: requestId, amountMinor, since, disputed: true }];
};

const withoutDispute = ({ disputed: _disputed, ...one }: OwedRefund): OwedRefund => one;

/**
 * The owed refunds that the provider did not make, after the merchant has won every dispute; empty
 * while a dispute stands.
 */
export const rejectedAgain = ({
  refunds,
  rejected_refunds: rejected,
  owed_refunds: owed,
  disputes,
}: PaymentRow): readonly OwedRefund[] => {
  if (isDisputeStanding(disputes)) return [];
  const hasFailed = (requestId: string): boolean => {
    const refund = refundOf(refunds, requestId);
    return refund !== null && !isTaking(refund);
  };
  return owed.filter(({ current }) => hasFailed(current) && !rejected.includes(current));
};

/**
 * Whether a refund request failed although nothing is owed to the payer, e.g. because the payment
 * expired.
 */
const isNotOwed = (after: PaymentRow, event: PaymentEvent, current: string): boolean =>
  (event.type === 'RefundRejected' || event.type === 'RefundFailed') &&
  event.requestId === current &&
  !after.rejected_refunds.includes(current);

/**
 * The refund requests that the event has added to the failed requests of the row, as new owed
 * refunds.
 */
const newlyOwed = (row: PaymentRow, after: PaymentRow): readonly OwedRefund[] =>
  after.rejected_refunds.flatMap((requestId) => {
    const refund = refundOf(row.refunds, requestId);
    const isKnown =
      row.rejected_refunds.includes(requestId) ||
      row.owed_refunds.some(({ current }) => current === requestId);
    if (isKnown || refund === null) return [];
    const { amountMinor, createdAt: since } = refund;
    return [{ requestId, current: requestId, amountMinor, since }];
  });

/**
 * Returns the owed refunds of a payment after an event. `after` is the payment's row after the
 * event, except that its owed refunds are those before the event.
 */
export const owedRefundsAfter = (
  row: PaymentRow,
  after: PaymentRow,
  event: PaymentEvent,
): readonly OwedRefund[] => {
  const { refunds, rejected_refunds: rejectedRefunds, owed_refunds: owed } = row;
  if (event.type === 'RefundRequested') {
    // The request of a queued refund replaces no failed refund request.
    if (refundOf(refunds, event.requestId) !== null || event.isSeparate === true) return owed;
    const replaced =
      event.replaces ?? oldestRejectedRefund({ refunds, rejectedRefunds }, event.amountMinor);
    return owed.map((one) =>
      one.current === replaced ? { ...one, current: event.requestId } : one,
    );
  }
  if (event.type === 'RefundAbandoned') {
    return owed.filter(({ current }) => current !== event.requestId);
  }
  if (event.type === 'RefundSucceeded') {
    const paid = refunds.find((one) => isMade(one) && one.refundId === event.refundId);
    return owed.filter(({ current }) => current !== paid?.requestId);
  }
  // Nothing is owed if the payer has the money through a returned debit, or through a dispute until
  // the merchant wins it.
  if (event.type === 'DirectDebitReturned') return [];
  if (event.type === 'DisputeObserved') return owed.map((one) => ({ ...one, disputed: true }));
  if (event.type === 'DisputeReversed') {
    return isDisputeStanding(after.disputes) ? owed : owed.map(withoutDispute);
  }
  if (event.type === 'RequestResultUnknown') {
    return event.request === 'refund' ? [...owed, ...unknownOwed(row)] : owed;
  }
  const known = owedUnlessDisputed(row, event);
  const stillOwed = known.filter(
    ({ current, disputed = false }) => disputed || !isNotOwed(after, event, current),
  );
  return [...stillOwed, ...newlyOwed(row, after)];
};
