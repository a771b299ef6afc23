import { earlier, HOUR_MS, type Instant, plusMs } from '#kernel';
import type { MoneyBack, OrderCommand } from '#order';
import type { PaymentEvent } from '#payment';
import type { Checkout, CheckoutContext, CheckoutMessage, CheckoutReaction } from './checkout.js';
import {
  finish,
  OVERDUE_MS,
  type Paying,
  startPayment,
  stay,
  toOrder,
  toPayment,
} from './checkout-reaction.js';
import { debitReturned, disputed, disputeWon, refunded } from './money-back.js';

/** Before the authorization ends: the platform is warned, and a delayed capture is made at last. */
const WARNING_BEFORE_END_MS = 24 * HOUR_MS;
const LATEST_CAPTURE_BEFORE_END_MS = 12 * HOUR_MS;

/** A payment that took other money than was asked for pays nothing, whatever became of it. */
const fail = (reason: string, at: Instant): CheckoutReaction =>
  finish(toOrder({ type: 'CloseOrder', outcome: 'failed', reason, at }));

const close = (state: Paying, at: Instant, failure: string | null): CheckoutReaction => {
  if (state.closing === 'cancellation') {
    const reason = 'cancelled by the platform';
    return finish(toOrder({ type: 'CloseOrder', outcome: 'canceled', reason, at }));
  }
  if (state.otherMoney === true) return fail(state.failure ?? 'another amount', at);
  if (state.closing === 'expiry' || failure === null) {
    const reason = 'not paid in time';
    return finish(toOrder({ type: 'CloseOrder', outcome: 'expired', reason, at }));
  }
  return fail(failure, at);
};

/** What captures something: of schema version 1 the event does not say how much. */
type CaptureShown = PaymentEvent & { type: 'CaptureAccepted' | 'CaptureSent' | 'PaymentCaptured' };

/** `capture`: what is captured of it; null: a debit is accepted for all. */
const confirmPaid = (
  state: Paying,
  at: Instant,
  capture: CaptureShown | null,
): CheckoutReaction => {
  if (state.otherMoney === true) {
    return fail(`${state.failure ?? 'another amount'}, and it was taken`, at);
  }
  const { paymentId } = state;
  const amountMinor = capture?.amountMinor ?? state.terms.amountMinor;
  const by = capture === null ? {} : { captureId: capture.captureId };
  return finish(toOrder({ type: 'ConfirmPaid', paymentId, ...by, amountMinor, at }));
};

/** What the payer has authorized is to be released. */
const isReleasing = ({ closing, otherMoney }: Paying): boolean =>
  closing === 'cancellation' || otherMoney === true;

const onAuthorized = (
  state: Paying,
  event: PaymentEvent & { type: 'PaymentAuthorized' },
  { now, newCaptureId: captureId }: CheckoutContext,
): CheckoutReaction => {
  // A cancellation stands: its cancel call releases the authorization.
  if (isReleasing(state)) return stay(state);
  const { paymentId, terms } = state;
  const commands = [toOrder({ type: 'NoteAuthorization', paymentId, at: now })];
  const reaction = (deadlines: CheckoutReaction['deadlines']): CheckoutReaction => ({
    state: { ...state, closing: null },
    commands,
    deadlines: { 'checkout.expiry': null, ...deadlines },
    readNow: null,
  });
  const warning = plusMs(event.expiresAt, -WARNING_BEFORE_END_MS);
  const overdue = plusMs(event.expiresAt, OVERDUE_MS);
  switch (terms.capture.policy) {
    case 'automatic':
      commands.push(
        toPayment(paymentId, { type: 'RequestCapture', captureId, by: 'policy', at: now }),
      );
      return reaction({ 'checkout.overdue': plusMs(now, OVERDUE_MS) });
    case 'manual':
      return reaction({ 'checkout.warning': warning, 'checkout.overdue': overdue });
    case 'delayed': {
      const wanted = plusMs(event.at, terms.capture.delayMs);
      const latest = plusMs(event.expiresAt, -LATEST_CAPTURE_BEFORE_END_MS);
      return reaction({
        'checkout.capture': earlier(wanted, latest),
        'checkout.warning': warning,
        'checkout.overdue': overdue,
      });
    }
  }
};

/** While a cancellation is under way, its outcome decides: it may still take this back. */
const confirmUnlessReleasing = (
  state: Paying,
  event: PaymentEvent & { type: 'DirectDebitAccepted' | 'CaptureAccepted' },
  { now }: CheckoutContext,
): CheckoutReaction => {
  if (isReleasing(state)) return stay(state);
  return confirmPaid(state, now, event.type === 'CaptureAccepted' ? event : null);
};

const confirmCaptured = (
  state: Paying,
  event: CaptureShown,
  { now }: CheckoutContext,
): CheckoutReaction => confirmPaid(state, now, event);

const onCanceled = (
  state: Paying,
  _event: PaymentEvent,
  context: CheckoutContext,
): CheckoutReaction => {
  const { now } = context;
  const { closing, failure = null, terms } = state;
  const isEnding = closing !== null || failure !== null || now >= terms.expiresAt;
  return isEnding ? close(state, now, failure) : startPayment(terms, context);
};

/** Other money is released. Another identity is for a person: nobody knows whose the intent is. */
const onMismatch = (
  state: Paying,
  event: PaymentEvent & { type: 'ProviderMismatchObserved' },
  { now: at }: CheckoutContext,
): CheckoutReaction => {
  const { aspect, expected, observed } = event;
  if (aspect !== 'amount' && aspect !== 'currency') return stay(state);
  if (state.otherMoney === true) return stay(state);
  const failure = `the provider shows the ${aspect} ${observed} instead of ${expected}`;
  const { paymentId } = state;
  return {
    state: { ...state, failure, otherMoney: true },
    commands: [toPayment(paymentId, { type: 'RequestCancel', reason: 'cancellation', at })],
    deadlines: { 'checkout.capture': null, 'checkout.overdue': plusMs(at, OVERDUE_MS) },
    readNow: null,
  };
};

/** The payment cannot come about: its intent ends, and then the order. */
const giveUp = (state: Paying, failure: string, at: Instant): CheckoutReaction => ({
  state: { ...state, failure },
  commands: [toPayment(state.paymentId, { type: 'RequestCancel', reason: 'expiry', at })],
  deadlines: { 'checkout.overdue': plusMs(at, OVERDUE_MS) },
  readNow: null,
});

/** What the order is told once it is paid. */
type Note = OrderNote<'NoteMoneyBack'> | OrderNote<'NoteCapture'>;
type OrderNote<Type> = Extract<OrderCommand, { type: Type }>;

const moneyBack =
  <Event>(how: (event: Event) => MoneyBack) =>
  (event: Event, paymentId: string, at: Instant): Note => ({
    type: 'NoteMoneyBack',
    paymentId,
    ...how(event),
    at,
  });

/** Where a provider shows no captures, the one that paid the order is all there is. */
const furtherCapture = (event: CaptureShown, paymentId: string, at: Instant): Note | null => {
  const { captureId, providerCaptureId, amountMinor } = event;
  if (providerCaptureId === undefined || amountMinor === undefined) return null;
  return { type: 'NoteCapture', paymentId, captureId, amountMinor, at };
};

/** What follows from a fact of a payment: while it may pay the order, and once that is over. */
interface PaymentReaction<Event> {
  readonly whilePaying?: (
    state: Paying,
    event: Event,
    context: CheckoutContext,
  ) => CheckoutReaction;
  /** What the order is told when the checkout is over; null: nothing. */
  readonly afterwards?: (event: Event, paymentId: string, at: Instant) => Note | null;
}

export const ON_PAYMENT: {
  readonly [Type in PaymentEvent['type']]:
    | 'ignored'
    | PaymentReaction<PaymentEvent & { readonly type: Type }>;
} = {
  PaymentAuthorized: { whilePaying: onAuthorized },
  DirectDebitAccepted: { whilePaying: confirmUnlessReleasing },
  CaptureAccepted: { whilePaying: confirmUnlessReleasing, afterwards: furtherCapture },
  CaptureSent: { whilePaying: confirmCaptured, afterwards: furtherCapture },
  PaymentCaptured: { whilePaying: confirmCaptured, afterwards: furtherCapture },
  PaymentCanceled: { whilePaying: onCanceled, afterwards: moneyBack(() => ({ how: 'lost' })) },
  AuthorizationExpired: { whilePaying: (state, _event, { now }) => close(state, now, null) },
  DirectDebitReturned: {
    whilePaying: (state, _event, { now }) => close(state, now, null),
    afterwards: moneyBack(debitReturned),
  },
  IntentRejected: { whilePaying: (state, { reason }, { now }) => close(state, now, reason) },
  DebitRejected: { whilePaying: (state, { reason }, { now }) => giveUp(state, reason, now) },
  AttemptRefused: {
    // With no payer present nobody tries again.
    whilePaying: (state, { response }, { now }) =>
      state.terms.mandateId === undefined
        ? stay(state)
        : giveUp(state, `the debit was refused: ${response ?? 'no reason'}`, now),
  },
  ProviderMismatchObserved: { whilePaying: onMismatch },
  RefundSucceeded: { afterwards: moneyBack(refunded) },
  DisputeObserved: { afterwards: moneyBack(disputed) },
  DisputeReversed: { afterwards: moneyBack(disputeWon) },
  IntentRequested: 'ignored',
  IntentCreated: 'ignored',
  DebitRequested: 'ignored',
  PageFinished: 'ignored',
  AuthorizationExpiring: 'ignored',
  CaptureRequested: 'ignored',
  AuthorizationClosed: 'ignored',
  CancelRequested: 'ignored',
  RefundRequested: 'ignored',
  RefundRejected: 'ignored',
  RefundGivenUp: 'ignored',
  RefundObserved: 'ignored',
  RefundSent: 'ignored',
  RefundFailed: 'ignored',
  DisputeMoved: 'ignored',
  OutcomeUnknown: 'ignored',
  OutcomeSettled: 'ignored',
};

/** What a fact of a payment leads to. */
export const onPayment = (
  state: Checkout,
  { paymentId, event }: Extract<CheckoutMessage, { from: 'payment' }>,
  context: CheckoutContext,
): CheckoutReaction => {
  const reaction: 'ignored' | PaymentReaction<never> = ON_PAYMENT[event.type];
  if (reaction === 'ignored') return stay(state);
  const { whilePaying, afterwards } = reaction as PaymentReaction<PaymentEvent>;
  if (state.status === 'paying') {
    // What is told of an earlier payment has been dealt with when that one ended.
    const isCurrent = paymentId === state.paymentId;
    return isCurrent && whilePaying ? whilePaying(state, event, context) : stay(state);
  }
  if (!afterwards) return stay(state);
  // The order knows whether this payment has paid it.
  const note = afterwards(event, paymentId, context.now);
  return note === null ? stay(state) : { ...stay(state), commands: [toOrder(note)] };
};
