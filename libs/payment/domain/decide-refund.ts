import { type Instant, Rejection } from '#kernel';
import { isCollecting, isRefundable, refundableMinor } from './captured.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { exists, type ExistingPayment, type KnownPayment } from './payment.js';
import { clearingSeenAt, debitSettledAt } from './reading-schedule.js';
import { oldestRejectedRefund, openRequest, refundOf } from './refunds-and-disputes.js';

type Command<T extends PaymentCommand['type']> = PaymentCommand & { type: T };

/**
 * Refuses the refund of a payment of which nothing was or will be captured. A capture or a direct
 * debit that the provider has accepted will be sent to clearing at the next cut-off.
 */
const assertRefundable = (payment: KnownPayment): void => {
  switch (payment.status) {
    case 'requested':
    case 'open':
    case 'authorized':
      throw new Rejection(
        'not_captured',
        `only a captured amount can be refunded: the status of the payment is ${payment.status}`,
      );
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
      throw new Rejection(
        'payment_ended',
        `the payment has ended: its status is ${payment.status}`,
      );
    case 'processing':
    case 'to_capture':
    case 'capture_sent':
    case 'captured':
      return;
  }
};

const notRejected = (): Rejection =>
  new Rejection(
    'refund_not_open',
    'the refund that this request replaces does not need to be requested again: leave out the id of the replaced refund',
  );

type Requested = PaymentEvent & { type: 'RefundRequested' };

/**
 * Which unexecuted refund request a new request replaces. An operator may name it; by default it is
 * the oldest one of the same amount and reference. A request with another reference is another
 * refund, and the earlier one is still owed. Two requests without a reference count as equal: the
 * second probably repeats the first, and if the first stayed owed, it could be reissued as well and
 * the payer be refunded twice.
 */
const replacementBy = (
  payment: ExistingPayment,
  { reference, replaces: named }: Command<'RequestRefund'>,
  amountMinor: number,
): Pick<Requested, 'replaces' | 'isSeparate'> => {
  if (named !== undefined) {
    if (!payment.rejectedRefunds.includes(named)) throw notRejected();
    return { replaces: named };
  }
  const repeated = oldestRejectedRefund(payment, amountMinor, reference);
  if (repeated !== undefined) return { replaces: repeated };
  return oldestRejectedRefund(payment, amountMinor) === undefined ? {} : { isSeparate: true };
};

/** The time of the latest capture that the provider has accepted. */
const acceptedAt = (payment: ExistingPayment, at: Instant): Instant =>
  payment.captures.findLast(({ status }) => status === 'accepted')?.at ?? at;

/**
 * Requests a refund. Before the capture is sent to clearing the refund is queued, because the
 * provider would refuse it (docs/provider/payments-completion.md#resources). After that, only one request is open at a time, until the provider has shown or rejected
 * its refund: two equal refunds cannot be distinguished, so one might be made twice.
 */
export const requestRefund = (
  payment: KnownPayment,
  command: Command<'RequestRefund'>,
): readonly PaymentEvent[] => {
  const { requestId, amountMinor: asked, reference, reason, at } = command;
  assertRefundable(payment);
  if (!isRefundable(payment)) return [];
  const { refunds, disputes } = payment;
  if (refunds.some((refund) => refund.requestId === requestId)) return [];
  // docs/provider/payments-completion.md#resources: only a `captured` payment is refunded, and a
  // disputed payment is never refunded again.
  if (disputes.length > 0) {
    const what =
      'the payer has disputed the payment, so it can never be refunded, even if the dispute is won';
    throw new Rejection('payment_disputed', what);
  }
  if (openRequest(refunds) !== null) {
    throw new Rejection(
      'refund_in_progress',
      'another refund of this payment is in progress: try again when it has succeeded or failed',
    );
  }
  const leftMinor = refundableMinor(payment);
  const amountMinor = asked ?? leftMinor;
  if (leftMinor === 0)
    throw new Rejection('already_refunded', 'the whole payment is refunded already');
  if (amountMinor > leftMinor) {
    throw new Rejection(
      'refund_exceeds_payment',
      `at most ${leftMinor} (in minor units) can still be refunded: request a smaller amount`,
    );
  }
  const terms = { requestId, amountMinor, reference, reason };
  if (isCollecting(payment)) {
    const expectedAt =
      payment.status === 'processing'
        ? debitSettledAt(at)
        : clearingSeenAt(acceptedAt(payment, at), at);
    return [{ type: 'RefundQueued', ...terms, expectedAt, at }];
  }
  const replacement = replacementBy(payment, command, amountMinor);
  return [{ type: 'RefundRequested', ...terms, ...replacement, at }];
};

/** Abandons a refund request that the provider did not execute. */
export const giveUpRefund = (
  payment: KnownPayment,
  { requestId, at }: Command<'GiveUpRefund'>,
): readonly PaymentEvent[] => {
  const refund = exists(payment) ? refundOf(payment.refunds, requestId) : null;
  if (!exists(payment) || refund === null || !payment.rejectedRefunds.includes(requestId)) {
    throw notRejected();
  }
  return [{ type: 'RefundAbandoned', requestId, amountMinor: refund.amountMinor, at }];
};

/**
 * Marks a refund request as rejected by the provider, unless a read has shown the refund or the
 * request has already been rejected.
 */
export const rejectRefund = (
  payment: KnownPayment,
  { requestId, reason, at }: Command<'RejectRefund'>,
): readonly PaymentEvent[] => {
  const refund = exists(payment)
    ? payment.refunds.find((one) => one.requestId === requestId)
    : undefined;
  if (!exists(payment) || refund === undefined) {
    throw new Rejection('refund_not_requested', 'no refund request of the payment has this id');
  }
  if (refund.status !== 'requested') return [];
  const { amountMinor } = refund;
  const rejected: PaymentEvent = { type: 'RefundRejected', requestId, amountMinor, reason, at };
  if (!payment.unknown.includes('refund')) return [rejected];
  return [rejected, { type: 'RequestResultResolved', request: 'refund', at }];
};
