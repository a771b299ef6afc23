import { assert, type Instant } from '#kernel';
import {
  type Capture,
  type CaptureStatus,
  failCapture,
  failOpen,
  failRequested,
  takenByCaptures,
  withCapture,
} from './capture.js';
import { hasMoney, isCollecting, refundCeilingMinor } from './captured.js';
import {
  evolveDisputes,
  evolveRefunds,
  evolveRejectedRefunds,
  isRefundOrDispute,
  isOfDispute,
  type DisputeEvent,
  type RefundOrDisputeEvent,
} from './evolve-refunds-and-disputes.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing, ExistingPayment, Payment } from './payment.js';
import { exists, isOver } from './payment.js';
import { isDisputeStanding, refundedMinor } from './refunds-and-disputes.js';

const existing = (payment: Payment): Existing => {
  assert(exists(payment), 'the intent exists before anything happens to it');
  return payment;
};

/** The fields of a payment whose intent was just created. */
const UNTOUCHED = {
  refusedAttempts: [],
  pageCompleted: false,
  debit: null,
  captures: [],
  releasedMinor: null,
  refunds: [],
  rejectedRefunds: [],
  disputes: [],
} as const;

/** The names of the fields that a payment has in every status once its intent exists. */
const BASE = [
  ...(['terms', 'unknown', 'cancel', 'mismatches', 'intentId', 'pageUrl'] as const),
  ...(['reviewedMismatches', 'owedUnlessDisputed'] as const),
  ...(Object.keys(UNTOUCHED) as (keyof typeof UNTOUCHED)[]),
];

/** The payment with only the fields that every status has. */
const base = (payment: Payment): ExistingPayment => {
  const known = existing(payment);
  const fields = BASE.filter((name) => name in known).map((name) => [name, known[name]]);
  return Object.fromEntries(fields) as Pick<Existing, (typeof BASE)[number]>;
};

/** Identifies a mismatch, so that the same mismatch is recorded only once. */
export const mismatchKey = (
  event: Extract<PaymentEvent, { type: 'PaymentMismatchObserved' }>,
): string => `${event.aspect}:${event.expected}:${event.observed}`;

/**
 * Removes a requested cancellation by expiry: the payer paid before the cancellation was executed,
 * so the payment is accepted.
 */
const withoutExpiry = (payment: ExistingPayment): ExistingPayment =>
  payment.cancel === 'expiry' ? { ...payment, cancel: null } : payment;

const evolveLive = (
  payment: Exclude<Payment, { status: 'none' | 'rejected' }>,
  event: Extract<
    PaymentEvent,
    { type: 'CancelRequested' | 'RequestResultUnknown' | 'RequestResultResolved' }
  >,
): Payment => {
  const others = (call: string) => payment.unknown.filter((known) => known !== call);
  switch (event.type) {
    case 'CancelRequested':
      return { ...payment, cancel: event.reason };
    case 'RequestResultUnknown':
      return { ...payment, unknown: [...others(event.request), event.request] };
    case 'RequestResultResolved':
      return { ...payment, unknown: others(event.request) };
  }
};

/**
 * The method of a payment whose capture was sent. If no method is recorded, a payment in
 * `processing` is a direct debit, because only a direct debit has no capture request.
 */
const methodOf = (payment: Existing): 'card' | 'sepa' => {
  if ('method' in payment) return payment.method;
  return payment.status === 'processing' ? 'sepa' : 'card';
};

type CaptureEvent = Extract<
  PaymentEvent,
  { type: 'CaptureRequested' | 'CaptureAccepted' | 'CaptureSent' | 'PaymentCaptured' }
>;

const STATUS_OF: Readonly<Record<CaptureEvent['type'], CaptureStatus>> = {
  CaptureRequested: 'requested',
  CaptureAccepted: 'accepted',
  CaptureSent: 'sent',
  PaymentCaptured: 'captured',
};

const PLACE: Readonly<Record<CaptureEvent['type'], number>> = {
  CaptureRequested: 1,
  CaptureAccepted: 1,
  CaptureSent: 2,
  PaymentCaptured: 3,
};

const placeOf = (status: Payment['status']): number =>
  ['to_capture', 'capture_sent', 'captured'].indexOf(status) + 1;

/**
 * The released amount after a capture. If a read shows a further capture after the rest was
 * released, the released amount is smaller by the amount of that capture.
 */
const releasedBeside = (
  { terms, releasedMinor }: Existing,
  captures: readonly Capture[],
): number | null =>
  releasedMinor && Math.min(releasedMinor, terms.amountMinor - takenByCaptures(captures));

const evolveCapture = (before: Existing, event: CaptureEvent): Payment => {
  const { type, captureId, at } = event;
  // An event of schema version 1 has no amount: the amount is then the recorded one.
  const known = before.captures.find((one) => one.captureId === captureId);
  const { amountMinor = known?.amountMinor ?? before.terms.amountMinor } = event;
  const shown: Capture = {
    captureId,
    amountMinor,
    status: STATUS_OF[type],
    ...('isFinal' in event && event.isFinal === true && { isFinal: true }),
    ...('providerCaptureId' in event &&
      event.providerCaptureId !== undefined && { providerCaptureId: event.providerCaptureId }),
    at,
  };
  const captures = withCapture(before.captures, shown);
  assert(
    takenByCaptures(captures) <= before.terms.amountMinor,
    'the captured amount is at most the authorized amount',
  );
  const payment = { ...before, releasedMinor: releasedBeside(before, captures) };
  // The most advanced of several captures determines the payment's status.
  if (placeOf(payment.status) >= PLACE[type]) return { ...payment, captures };
  const method = methodOf(payment);
  switch (type) {
    case 'CaptureRequested':
      assert(payment.status === 'authorized', 'a capture follows the authorization');
      return { ...payment, captures };
    case 'CaptureAccepted':
      return { ...base(payment), captures, status: 'to_capture' };
    case 'CaptureSent':
      return { ...base(payment), captures, status: 'capture_sent', method, cancel: null };
    case 'PaymentCaptured':
      return {
        ...base(payment),
        captures,
        status: 'captured',
        method,
        capturedAt: at,
        cancel: null,
      };
  }
};

/** The payment after its authorization was closed: no further capture is possible. */
const closed = (
  payment: Existing,
  { releasedMinor, at }: PaymentEvent & { type: 'AuthorizationClosed' },
): Payment => ({ ...payment, captures: failRequested(payment.captures, at), releasedMinor });

/** The payment after it has ended without collecting money. */
const ended = (payment: Payment, at: Instant): ExistingPayment => {
  const before = base(payment);
  return { ...before, captures: failOpen(before.captures, at), cancel: null };
};

/**
 * Applies an event of a dispute. A dispute returns the money to the payer, so no refund is left to
 * make; when every dispute is won, the refunds that failed before are owed again.
 */
const evolveDispute = (payment: Existing, event: DisputeEvent): Payment => {
  const { owedUnlessDisputed: owed = [], rejectedRefunds, ...others } = payment;
  const disputes = evolveDisputes(payment.disputes, event);
  const known = [...owed, ...rejectedRefunds];
  if (known.length === 0) return { ...payment, disputes };
  return isDisputeStanding(disputes)
    ? { ...others, disputes, rejectedRefunds: [], owedUnlessDisputed: known }
    : { ...others, disputes, rejectedRefunds: known };
};

/**
 * Applies an event of a refund or dispute. A refund is made, and a dispute exists, only after a
 * capture was sent or a direct debit was returned. Before that, a refund can only be queued; if the
 * payment ends without a capture, the queued refund is rejected.
 */
const evolveRefundOrDispute = (payment: Payment, event: RefundOrDisputeEvent): Payment => {
  const isWithoutMoney = isOver(payment);
  const { type } = event;
  assert(
    hasMoney(payment) ||
      payment.status === 'returned' ||
      (isCollecting(payment) && type === 'RefundQueued') ||
      (exists(payment) && isWithoutMoney && type === 'RefundRejected'),
    'the capture was sent',
  );
  if (isOfDispute(event)) {
    assert(hasMoney(payment), 'a debit that was returned before its capture is not disputed');
    return evolveDispute(payment, event);
  }
  const refunds = evolveRefunds(payment.refunds, event);
  assert(
    refundedMinor(refunds) <= refundCeilingMinor(payment),
    'at most the captured amount is refunded',
  );
  if (isWithoutMoney) return { ...payment, refunds };
  const rejectedAfter = evolveRejectedRefunds(payment, event);
  if (!isDisputeStanding(payment.disputes)) {
    return { ...payment, refunds, rejectedRefunds: rejectedAfter };
  }
  const { owedUnlessDisputed: owed = [], rejectedRefunds } = payment;
  const added = rejectedAfter.filter((one) => !rejectedRefunds.includes(one));
  if (added.length === 0) return { ...payment, refunds };
  return { ...payment, refunds, owedUnlessDisputed: [...owed, ...added] };
};

type IntentEvent = PaymentEvent & {
  type: 'IntentRequested' | 'IntentCreated' | 'IntentRejected';
};

const evolveIntent = (payment: Payment, event: IntentEvent): Payment => {
  if (event.type === 'IntentRequested') {
    const { type: _type, at: _at, ...terms } = event;
    return { status: 'requested', terms, unknown: [], cancel: null, mismatches: [] };
  }
  assert(payment.status === 'requested', 'an intent is requested before the provider answers');
  if (event.type === 'IntentCreated') {
    const { intentId, pageUrl } = event;
    return { ...payment, status: 'open', intentId, pageUrl, ...UNTOUCHED };
  }
  const { terms, mismatches } = payment;
  return { status: 'rejected', terms, reason: event.reason, mismatches };
};

export const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  if (isRefundOrDispute(event)) return evolveRefundOrDispute(payment, event);
  switch (event.type) {
    case 'IntentRequested':
    case 'IntentCreated':
    case 'IntentRejected':
      return evolveIntent(payment, event);
    case 'AttemptRefused': {
      const known = existing(payment);
      return { ...known, refusedAttempts: [...known.refusedAttempts, event.attemptId] };
    }
    case 'PaymentAuthorized': {
      const { attemptId, expiresAt, at: authorizedAt } = event;
      return {
        ...withoutExpiry(base(payment)),
        status: 'authorized',
        attemptId,
        authorizedAt,
        expiresAt,
        warned: false,
      };
    }
    case 'DirectDebitAccepted':
      return {
        ...withoutExpiry(base(payment)),
        status: 'processing',
        attemptId: event.attemptId,
      };
    case 'DebitRequested':
      return { ...existing(payment), debit: 'requested' };
    case 'DebitRejected':
      return { ...existing(payment), debit: 'rejected' };
    case 'PaymentPageCompleted':
      return { ...existing(payment), pageCompleted: true };
    case 'AuthorizationExpiring':
      assert(payment.status === 'authorized', 'only an authorization can be about to expire');
      return { ...payment, warned: true };
    case 'CaptureRequested':
    case 'CaptureAccepted':
    case 'CaptureSent':
    case 'PaymentCaptured':
      return evolveCapture(existing(payment), event);
    case 'CaptureRejected': {
      const known = existing(payment);
      return { ...known, captures: failCapture(known.captures, event.captureId, event.at) };
    }
    case 'AuthorizationClosed':
      return closed(existing(payment), event);
    case 'PaymentCanceled':
      return { ...ended(payment, event.at), status: 'canceled' };
    case 'AuthorizationExpired':
      return { ...ended(payment, event.at), status: 'expired' };
    case 'DirectDebitReturned':
      return { ...ended(payment, event.at), status: 'returned', rejectedRefunds: [] };
    case 'PaymentMismatchObserved': {
      if (payment.status === 'none') return payment;
      return { ...payment, mismatches: [...payment.mismatches, mismatchKey(event)] };
    }
    case 'PaymentMismatchesReviewed': {
      assert(payment.status !== 'none', 'a payment with a mismatch exists');
      return { ...payment, reviewedMismatches: payment.mismatches.length };
    }
    case 'CancelRequested':
    case 'RequestResultUnknown':
    case 'RequestResultResolved':
      assert(payment.status !== 'none' && payment.status !== 'rejected', 'the payment exists');
      return evolveLive(payment, event);
  }
};
