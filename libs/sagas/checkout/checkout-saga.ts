import type { Instant } from '#kernel';
import { assertNever, earlier, HOUR_MS, plusMs } from '#kernel';
import type { ClosingReason, OrderEvent, OrderTerms } from '#order';
import type { PaymentEvent } from '#payment';
import type {
  Checkout, CheckoutCommand, CheckoutContext, CheckoutDeadline, CheckoutMessage, CheckoutReaction,
} from './checkout.js';
import { afterCheckout } from './money-back.js';

/** How long the provider may take to show what was asked of it before somebody looks again. */
const OVERDUE_MS = HOUR_MS;
const LOOK_AGAIN_MS = 6 * HOUR_MS;
/** Before the authorization ends: the platform is warned, and a delayed capture is made at last. */
const WARNING_BEFORE_END_MS = 24 * HOUR_MS;
const LATEST_CAPTURE_BEFORE_END_MS = 12 * HOUR_MS;

type Paying = Extract<Checkout, { status: 'paying' }>;

const NOTHING = { commands: [], deadlines: {}, readNow: null } as const;

const stay = (state: Checkout): CheckoutReaction => ({ state, ...NOTHING });

const NO_DEADLINES: Readonly<Record<CheckoutDeadline, null>> = {
  'checkout.expiry': null,
  'checkout.capture': null,
  'checkout.warning': null,
  'checkout.overdue': null,
};

const finish = (command: CheckoutCommand): CheckoutReaction => ({
  state: { status: 'done' }, commands: [command], deadlines: NO_DEADLINES, readNow: null,
});

const toOrder = (command: Extract<CheckoutCommand, { to: 'order' }>['command']): CheckoutCommand => ({
  to: 'order', command,
});

const toPayment = (
  paymentId: string, command: Extract<CheckoutCommand, { to: 'payment' }>['command'],
): CheckoutCommand => ({ to: 'payment', paymentId, command });

/** A payment begins: only when none before it can still take money. */
const startPayment = (terms: OrderTerms, context: CheckoutContext): CheckoutReaction => {
  const { orderId, now: at, newPaymentId: paymentId } = context;
  const {
    platformId, accountId, amountMinor, currency, methods, returnUrl, description, mandateId,
  } = terms;
  return {
    state: { status: 'paying', terms, paymentId, closing: null, failure: null },
    commands: [
      toOrder({ type: 'StartPayment', paymentId, at }),
      toPayment(paymentId, {
        type: 'RequestIntent', orderId, platformId, accountId, amountMinor, currency, methods,
        returnUrl, description, ...(mandateId === undefined ? {} : { mandateId }), at,
      }),
    ],
    deadlines: { ...NO_DEADLINES, 'checkout.expiry': terms.expiresAt },
    readNow: null,
  };
};

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

const confirmPaid = (state: Paying, at: Instant): CheckoutReaction => {
  if (state.otherMoney === true) {
    return fail(`${state.failure ?? 'another amount'}, and it was taken`, at);
  }
  const { paymentId, terms } = state;
  const { amountMinor } = terms;
  return finish(toOrder({ type: 'ConfirmPaid', paymentId, amountMinor, at }));
};

/** What the payer has authorized is to be released. */
const isReleasing = ({ closing, otherMoney }: Paying): boolean =>
  closing === 'cancellation' || otherMoney === true;

const onAuthorized = (
  state: Paying, event: PaymentEvent & { type: 'PaymentAuthorized' }, now: Instant,
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
      commands.push(toPayment(paymentId, { type: 'RequestCapture', by: 'policy', at: now }));
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
    default:
      return assertNever(terms.capture);
  }
};

const onPayment = (
  state: Paying, event: PaymentEvent, context: CheckoutContext,
): CheckoutReaction => {
  const { now } = context;
  switch (event.type) {
    case 'PaymentAuthorized':
      return onAuthorized(state, event, now);
    case 'DirectDebitAccepted':
    case 'CaptureAccepted':
      // While a cancellation is under way, its outcome decides: it may still take this back.
      return isReleasing(state) ? stay(state) : confirmPaid(state, now);
    case 'CaptureSent':
    case 'PaymentCaptured':
      return confirmPaid(state, now);
    case 'PaymentCanceled': {
      const { closing, failure = null, terms } = state;
      const isEnding = closing !== null || failure !== null || now >= terms.expiresAt;
      return isEnding ? close(state, now, failure) : startPayment(terms, context);
    }
    case 'AuthorizationExpired':
    case 'DirectDebitReturned':
      return close(state, now, null);
    case 'IntentRejected':
      return close(state, now, event.reason);
    case 'DebitRejected':
      return giveUp(state, event.reason, now);
    case 'AttemptRefused':
      // With no payer present nobody tries again.
      if (state.terms.mandateId === undefined) return stay(state);
      return giveUp(state, `the debit was refused: ${event.response ?? 'no reason'}`, now);
    case 'IntentRequested':
    case 'IntentCreated':
    case 'DebitRequested':
    case 'PageFinished':
    case 'AuthorizationExpiring':
    case 'CaptureRequested':
    case 'CancelRequested':
    case 'RefundRequested':
    case 'RefundRejected':
    case 'RefundGivenUp':
    case 'RefundObserved':
    case 'RefundSent':
    case 'RefundSucceeded':
    case 'RefundFailed':
    case 'DisputeObserved':
    case 'DisputeMoved':
    case 'DisputeReversed':
    case 'OutcomeUnknown':
    case 'OutcomeSettled':
      return stay(state);
    case 'ProviderMismatchObserved':
      return onMismatch(state, event, now);
    default:
      return assertNever(event);
  }
};

/** Other money is released. Another identity is for a person: nobody knows whose the intent is. */
const onMismatch = (
  state: Paying, event: PaymentEvent & { type: 'ProviderMismatchObserved' }, at: Instant,
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

const end = (
  state: Paying, closing: ClosingReason, deadlines: CheckoutReaction['deadlines'], at: Instant,
): CheckoutReaction => ({
  state: { ...state, closing },
  commands: [toPayment(state.paymentId, { type: 'RequestCancel', reason: closing, at })],
  deadlines: { ...deadlines, 'checkout.overdue': plusMs(at, OVERDUE_MS) },
  readNow: null,
});

/** The payment cannot come about: its intent ends, and then the order. */
const giveUp = (state: Paying, failure: string, at: Instant): CheckoutReaction => ({
  state: { ...state, failure },
  commands: [toPayment(state.paymentId, { type: 'RequestCancel', reason: 'expiry', at })],
  deadlines: { 'checkout.overdue': plusMs(at, OVERDUE_MS) },
  readNow: null,
});

const onOrder = (state: Checkout, event: OrderEvent, context: CheckoutContext): CheckoutReaction => {
  const { now: at } = context;
  switch (event.type) {
    case 'OrderPlaced': {
      if (state.status !== 'none') return stay(state);
      const { type: _type, at: _at, ...terms } = event;
      // A reaction that had to be retried may come late: then no payment begins any more.
      if (at >= terms.expiresAt) {
        const reason = 'not paid in time';
        return finish(toOrder({ type: 'CloseOrder', outcome: 'expired', reason, at }));
      }
      return startPayment(terms, context);
    }
    case 'OrderCancellationRequested':
      return state.status === 'paying' ? end(state, 'cancellation', NO_DEADLINES, at) : stay(state);
    case 'OrderExpiryReached':
      // An authorization may have been told before: what it waits for stays due, as it has paid.
      return state.status === 'paying'
        ? end(state, 'expiry', { 'checkout.expiry': null }, at) : stay(state);
    case 'OrderPaymentStarted':
    case 'OrderAuthorized':
    case 'OrderPaid':
    case 'OrderRefunded':
    case 'OrderChargedBack':
    case 'OrderDisputeWon':
    case 'OrderDebitReturned':
    case 'OrderPaymentLost':
    case 'OrderCanceled':
    case 'OrderExpired':
    case 'OrderFailed':
      return stay(state);
    default:
      return assertNever(event);
  }
};

const onDeadline = (state: Paying, kind: CheckoutDeadline, now: Instant): CheckoutReaction => {
  const { paymentId } = state;
  const ask = (command: CheckoutCommand, overdue: Instant | null): CheckoutReaction => ({
    state,
    commands: [command],
    deadlines: overdue ? { 'checkout.overdue': overdue } : {},
    readNow: null,
  });
  switch (kind) {
    case 'checkout.expiry':
      return ask(toOrder({ type: 'ReachExpiry', at: now }), plusMs(now, OVERDUE_MS));
    case 'checkout.capture': {
      if (state.closing === 'cancellation') return stay(state);
      const capture = { type: 'RequestCapture', by: 'policy', at: now } as const;
      return ask(toPayment(paymentId, capture), plusMs(now, OVERDUE_MS));
    }
    case 'checkout.warning':
      return ask(toPayment(paymentId, { type: 'WarnOfExpiry', at: now }), null);
    case 'checkout.overdue':
      return {
        state,
        commands: [],
        deadlines: { 'checkout.overdue': plusMs(now, LOOK_AGAIN_MS) },
        readNow: paymentId,
      };
    default:
      return assertNever(kind);
  }
};

const whilePaying = (
  state: Paying, message: CheckoutMessage, context: CheckoutContext,
): CheckoutReaction => {
  if (message.from === 'order') return onOrder(state, message.event, context);
  if (message.from === 'deadline') return onDeadline(state, message.kind, context.now);
  // What is told of an earlier payment has been dealt with when that one ended.
  if (message.paymentId !== state.paymentId) return stay(state);
  return onPayment(state, message.event, context);
};

const whileNotPaying = (
  state: Exclude<Checkout, Paying>, message: CheckoutMessage, context: CheckoutContext,
): CheckoutReaction => {
  if (message.from === 'order') return onOrder(state, message.event, context);
  if (message.from === 'deadline') return stay(state);
  const { paymentId, event } = message;
  return { ...stay(state), commands: afterCheckout(paymentId, event, context.now) };
};

/**
 * The checkout of one order: asks for the intent, waits for the authorization, captures by policy,
 * and tells the order what became of it. Pure; each message may come twice or late.
 */
export const reactToCheckout = (
  state: Checkout, message: CheckoutMessage, context: CheckoutContext,
): CheckoutReaction => {
  switch (state.status) {
    case 'none':
    case 'done':
      return whileNotPaying(state, message, context);
    case 'paying':
      return whilePaying(state, message, context);
    default:
      // A newer release's: to take it for done would swallow an authorization.
      return assertNever(state);
  }
};
