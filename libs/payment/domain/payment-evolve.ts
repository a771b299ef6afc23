import { assert, type Instant } from '#kernel';
import {
  type Capture,
  type CaptureStatus,
  failOpen,
  failRequested,
  takenByCaptures,
  withCapture,
} from './capture.js';
import { refundCeilingMinor } from './captured.js';
import {
  evolveDisputes,
  evolveRefunds,
  evolveUnmade,
  isMoneyBack,
  isOfDispute,
  type MoneyBackEvent,
} from './evolve-money-back.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing, ExistingPayment, Payment } from './payment.js';
import { exists } from './payment.js';
import { refundedMinor } from './refunds-and-disputes.js';

const existing = (payment: Payment): Existing => {
  assert(exists(payment), 'the intent exists before anything happens to it');
  return payment;
};

const base = (payment: Payment): ExistingPayment => {
  const {
    terms,
    unknown,
    cancel,
    intentId,
    pageUrl,
    refusedAttempts,
    pageFinished,
    debit,
    captures,
    releasedMinor,
    refunds,
    unmadeRefunds,
    disputes,
    mismatches,
  } = existing(payment);
  return {
    terms,
    unknown,
    cancel,
    intentId,
    pageUrl,
    refusedAttempts,
    pageFinished,
    debit,
    captures,
    releasedMinor,
    refunds,
    unmadeRefunds,
    disputes,
    mismatches,
  };
};

/** Names a contradiction, so that each is told once. */
export const mismatchKey = (
  event: Extract<PaymentEvent, { type: 'ProviderMismatchObserved' }>,
): string => `${event.aspect}:${event.expected}:${event.observed}`;

/** Who has paid before the order's expiry was carried out has paid. */
const withoutExpiry = (payment: ExistingPayment): ExistingPayment =>
  payment.cancel === 'expiry' ? { ...payment, cancel: null } : payment;

const evolveLive = (
  payment: Exclude<Payment, { status: 'none' | 'rejected' }>,
  event: Extract<PaymentEvent, { type: 'CancelRequested' | 'OutcomeUnknown' | 'OutcomeSettled' }>,
): Payment => {
  const others = (call: string) => payment.unknown.filter((known) => known !== call);
  switch (event.type) {
    case 'CancelRequested':
      return { ...payment, cancel: event.reason };
    case 'OutcomeUnknown':
      return { ...payment, unknown: [...others(event.call), event.call] };
    case 'OutcomeSettled':
      return { ...payment, unknown: others(event.call) };
  }
};

/** Only a direct debit is sent without a capture. */
const methodOf = ({ status }: Payment) => (status === 'processing' ? 'sepa' : 'card');

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

const evolveCapture = (payment: Existing, event: CaptureEvent): Payment => {
  const { type, captureId, amountMinor = payment.terms.amountMinor, at } = event;
  const shown: Capture = {
    captureId,
    amountMinor,
    status: STATUS_OF[type],
    ...('isFinal' in event && event.isFinal === true && { isFinal: true }),
    ...('providerCaptureId' in event &&
      event.providerCaptureId !== undefined && { providerCaptureId: event.providerCaptureId }),
    at,
  };
  const captures = withCapture(payment.captures, shown);
  assert(takenByCaptures(captures) <= payment.terms.amountMinor, 'captured is at most authorized');
  // Of several captures the one that is furthest says where the payment is.
  if (placeOf(payment.status) >= PLACE[type]) return { ...payment, captures };
  switch (type) {
    case 'CaptureRequested':
      assert(payment.status === 'authorized', 'capture follows authorization');
      return { ...payment, captures };
    case 'CaptureAccepted':
      return { ...base(payment), captures, status: 'to_capture' };
    case 'CaptureSent': {
      const method = methodOf(payment);
      return { ...base(payment), captures, status: 'capture_sent', method, cancel: null };
    }
    case 'PaymentCaptured':
      return { ...base(payment), captures, status: 'captured', capturedAt: at, cancel: null };
  }
};

/** Nothing more can be captured. */
const closed = (
  payment: Existing,
  { releasedMinor, at }: PaymentEvent & { type: 'AuthorizationClosed' },
): Payment => ({ ...payment, captures: failRequested(payment.captures, at), releasedMinor });

/** No money came or will. */
const ended = (payment: Payment, at: Instant): ExistingPayment => {
  const before = base(payment);
  return { ...before, captures: failOpen(before.captures, at), cancel: null };
};

/** Money goes back only where it came, or is surely coming. */
const evolveMoneyBack = (payment: Payment, event: MoneyBackEvent): Payment => {
  const isReturned = payment.status === 'returned';
  assert(
    isReturned || payment.status === 'capture_sent' || payment.status === 'captured',
    'the capture was sent',
  );
  if (isOfDispute(event)) {
    assert(!isReturned, 'a debit that came back before its capture is not disputed');
    // What was disputed the payer has taken back.
    return { ...payment, disputes: evolveDisputes(payment.disputes, event), unmadeRefunds: [] };
  }
  const refunds = evolveRefunds(payment.refunds, event);
  assert(refundedMinor(refunds) <= refundCeilingMinor(payment), 'refunded is at most captured');
  if (isReturned || payment.disputes.length > 0) return { ...payment, refunds };
  return { ...payment, refunds, unmadeRefunds: evolveUnmade(payment, event) };
};

/** What an intent has when it is made. */
const UNTOUCHED = {
  refusedAttempts: [],
  pageFinished: false,
  debit: null,
  captures: [],
  releasedMinor: null,
  refunds: [],
  unmadeRefunds: [],
  disputes: [],
} as const;

export const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  if (isMoneyBack(event)) return evolveMoneyBack(payment, event);
  switch (event.type) {
    case 'IntentRequested': {
      const { type: _type, at: _at, ...terms } = event;
      return { status: 'requested', terms, unknown: [], cancel: null, mismatches: [] };
    }
    case 'IntentCreated': {
      assert(payment.status === 'requested', 'an intent is requested before it is created');
      const { intentId, pageUrl } = event;
      return { ...payment, status: 'open', intentId, pageUrl, ...UNTOUCHED };
    }
    case 'IntentRejected':
      assert(payment.status === 'requested', 'an intent is requested before it is rejected');
      return {
        status: 'rejected',
        terms: payment.terms,
        reason: event.reason,
        mismatches: payment.mismatches,
      };
    case 'AttemptRefused': {
      const known = existing(payment);
      return { ...known, refusedAttempts: [...known.refusedAttempts, event.attemptId] };
    }
    case 'PaymentAuthorized': {
      const { attemptId, expiresAt } = event;
      return {
        ...withoutExpiry(base(payment)),
        status: 'authorized',
        attemptId,
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
    case 'PageFinished':
      return { ...existing(payment), pageFinished: true };
    case 'AuthorizationExpiring':
      assert(payment.status === 'authorized', 'only an authorization can be about to expire');
      return { ...payment, warned: true };
    case 'CaptureRequested':
    case 'CaptureAccepted':
    case 'CaptureSent':
    case 'PaymentCaptured':
      return evolveCapture(existing(payment), event);
    case 'AuthorizationClosed':
      return closed(existing(payment), event);
    case 'PaymentCanceled':
      return { ...ended(payment, event.at), status: 'canceled' };
    case 'AuthorizationExpired':
      return { ...ended(payment, event.at), status: 'expired' };
    case 'DirectDebitReturned':
      return { ...ended(payment, event.at), status: 'returned', unmadeRefunds: [] };
    case 'ProviderMismatchObserved': {
      if (payment.status === 'none') return payment;
      return { ...payment, mismatches: [...payment.mismatches, mismatchKey(event)] };
    }
    case 'CancelRequested':
    case 'OutcomeUnknown':
    case 'OutcomeSettled':
      assert(payment.status !== 'none' && payment.status !== 'rejected', 'a live payment');
      return evolveLive(payment, event);
  }
};
