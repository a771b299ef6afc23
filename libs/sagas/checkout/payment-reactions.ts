import { earlier, HOUR_MS, ignored, type Instant, plusMs } from '#kernel';
import type { RefundOrChargeback, OrderCommand } from '#order';
import type { PaymentEvent } from '#payment';
import type { Checkout, CheckoutContext, CheckoutMessage, CheckoutReaction } from './checkout.js';
import {
  finish,
  type Paying,
  startPayment,
  stay,
  toOrder,
  toPayment,
} from './checkout-reaction.js';
import { debitReturned, disputed, disputeWon, refunded } from './refunds-and-chargebacks.js';

/** The platform is warned this long before an authorization expires. */
const WARNING_BEFORE_END_MS = 24 * HOUR_MS;
/** A delayed capture is requested at the latest this long before the authorization expires. */
const LATEST_CAPTURE_BEFORE_END_MS = 12 * HOUR_MS;

/**
 * Makes the order fail, because a payment whose amount or currency differs from the order's must
 * not pay the order.
 */
const fail = (reason: string, at: Instant): CheckoutReaction =>
  finish(toOrder({ type: 'CloseOrder', outcome: 'failed', reason, at }));

const close = (state: Paying, at: Instant, failure: string | null): CheckoutReaction => {
  if (state.closing === 'cancellation') {
    const reason = 'canceled by the platform';
    return finish(toOrder({ type: 'CloseOrder', outcome: 'canceled', reason, at }));
  }
  if (state.otherMoney === true)
    return fail(state.failure ?? 'the provider shows a different amount', at);
  if (state.closing === 'expiry' || failure === null) {
    const reason = 'not paid in time';
    return finish(toOrder({ type: 'CloseOrder', outcome: 'expired', reason, at }));
  }
  return fail(failure, at);
};

/** An event that shows a capture; schema version 1 has no amount. */
type CaptureShown = PaymentEvent & { type: 'CaptureAccepted' | 'CaptureSent' | 'PaymentCaptured' };

/** Marks the order as paid; `capture` is null for a direct debit, which pays the whole amount. */
const confirmPaid = (
  state: Paying,
  at: Instant,
  capture: CaptureShown | null,
): CheckoutReaction => {
  if (state.otherMoney === true) {
    return fail(
      `${state.failure ?? 'the provider shows a different amount'}, and the payer was charged`,
      at,
    );
  }
  const { paymentId } = state;
  const amountMinor = capture?.amountMinor ?? state.terms.amountMinor;
  const by = capture === null ? {} : { captureId: capture.captureId };
  return finish(toOrder({ type: 'ConfirmPaid', paymentId, ...by, amountMinor, at }));
};

/** Whether the authorization of the payment is to be released. */
const isReleasing = ({ closing, otherMoney }: Paying): boolean =>
  closing === 'cancellation' || otherMoney === true;

const onAuthorized = (
  state: Paying,
  event: PaymentEvent & { type: 'PaymentAuthorized' },
  { now, newCaptureId: captureId }: CheckoutContext,
): CheckoutReaction => {
  // If a cancellation was already requested, it also releases the authorization, so no release is
  // requested.
  if (isReleasing(state)) return stay(state);
  const { paymentId, terms } = state;
  const commands = [toOrder({ type: 'NoteAuthorization', paymentId, at: now })];
  const reaction = (deadlines: CheckoutReaction['deadlines']): CheckoutReaction => ({
    state: { ...state, closing: null },
    commands,
    deadlines: { 'checkout.expiry': null, ...deadlines },
  });
  const warning = plusMs(event.expiresAt, -WARNING_BEFORE_END_MS);
  switch (terms.capture.policy) {
    case 'automatic':
      commands.push(
        toPayment(paymentId, { type: 'RequestCapture', captureId, by: 'policy', at: now }),
      );
      return reaction({});
    case 'manual':
      return reaction({ 'checkout.warning': warning });
    case 'delayed': {
      const wanted = plusMs(event.at, terms.capture.delayMs);
      const latest = plusMs(event.expiresAt, -LATEST_CAPTURE_BEFORE_END_MS);
      return reaction({
        'checkout.capture': earlier(wanted, latest),
        'checkout.warning': warning,
      });
    }
  }
};

/**
 * Marks the order as paid. While a cancellation of the payment is in progress, the order is not
 * marked yet, because the cancellation may still undo the capture.
 */
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

/**
 * A payment by mandate that is canceled at the provider, e.g. by the merchant, is not replaced:
 * without the payer, the mandate must not be debited again.
 */
const DEBIT_CANCELED = 'the payment by mandate was canceled at the provider';

const onCanceled = (
  state: Paying,
  _event: PaymentEvent,
  context: CheckoutContext,
): CheckoutReaction => {
  const { now } = context;
  const { closing, terms } = state;
  const failure = state.failure ?? (terms.mandateId === undefined ? null : DEBIT_CANCELED);
  const isEnding = closing !== null || failure !== null || now >= terms.expiresAt;
  return isEnding ? close(state, now, failure) : startPayment(terms, context);
};

/**
 * Reacts to a mismatch. A payment whose amount or currency differs from the order's is canceled. An
 * intent with an unexpected reference or id is left to an operator, because the intent may belong
 * to a different system.
 */
const onMismatch = (
  state: Paying,
  event: PaymentEvent & { type: 'PaymentMismatchObserved' },
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
    deadlines: { 'checkout.capture': null },
  };
};

/** Cancels a payment that must not pay the order; when the payment has ended, the order fails. */
const giveUp = (state: Paying, failure: string, at: Instant): CheckoutReaction => ({
  state: { ...state, failure },
  commands: [toPayment(state.paymentId, { type: 'RequestCancel', reason: 'expiry', at })],
  deadlines: {},
});

/** A command to an order that is already paid. */
type Note = OrderNote<'NoteRefundOrChargeback'> | OrderNote<'NoteCapture'>;
type OrderNote<Type> = Extract<OrderCommand, { type: Type }>;

const noteRefundOrChargeback =
  <Event>(how: (event: Event) => RefundOrChargeback) =>
  (event: Event, paymentId: string, at: Instant): Note => ({
    type: 'NoteRefundOrChargeback',
    paymentId,
    ...how(event),
    at,
  });

/**
 * The command for a further capture, or for the latest amount of a recorded one; null if the
 * provider does not list captures, because then there is only one capture.
 */
const noteCapture = (event: CaptureShown, paymentId: string, at: Instant): Note | null => {
  const { captureId, providerCaptureId, amountMinor } = event;
  if (providerCaptureId === undefined || amountMinor === undefined) return null;
  return { type: 'NoteCapture', paymentId, captureId, amountMinor, at };
};

/**
 * The reactions to an event of a payment: one while the payment may still pay the order, one after
 * the checkout has finished.
 */
interface PaymentReaction<Event> {
  readonly whilePaying?: (
    state: Paying,
    event: Event,
    context: CheckoutContext,
  ) => CheckoutReaction;
  /** The command to the order after the checkout has finished; null: no command. */
  readonly afterwards?: (event: Event, paymentId: string, at: Instant) => Note | null;
}

export const ON_PAYMENT: {
  readonly [Type in PaymentEvent['type']]:
    | 'ignored'
    | PaymentReaction<PaymentEvent & { readonly type: Type }>;
} = {
  PaymentAuthorized: { whilePaying: onAuthorized },
  DirectDebitAccepted: { whilePaying: confirmUnlessReleasing },
  CaptureAccepted: { whilePaying: confirmUnlessReleasing, afterwards: noteCapture },
  CaptureSent: { whilePaying: confirmCaptured, afterwards: noteCapture },
  PaymentCaptured: { whilePaying: confirmCaptured, afterwards: noteCapture },
  PaymentCanceled: {
    whilePaying: onCanceled,
    afterwards: noteRefundOrChargeback(() => ({ how: 'lost' })),
  },
  AuthorizationExpired: { whilePaying: (state, _event, { now }) => close(state, now, null) },
  DirectDebitReturned: {
    whilePaying: (state, _event, { now }) => close(state, now, null),
    afterwards: noteRefundOrChargeback(debitReturned),
  },
  IntentRejected: { whilePaying: (state, { reason }, { now }) => close(state, now, reason) },
  DebitRejected: { whilePaying: (state, { reason }, { now }) => giveUp(state, reason, now) },
  AttemptRefused: {
    // An order that debits a mandate fails, because no payer is present to try again.
    whilePaying: (state, { responseCode }, { now }) =>
      state.terms.mandateId === undefined
        ? stay(state)
        : giveUp(state, `the debit was refused: ${responseCode ?? 'no reason'}`, now),
  },
  PaymentMismatchObserved: { whilePaying: onMismatch },
  ...ignored('PaymentMismatchesReviewed'),
  RefundSucceeded: { afterwards: noteRefundOrChargeback(refunded) },
  DisputeObserved: { afterwards: noteRefundOrChargeback(disputed) },
  DisputeReversed: { afterwards: noteRefundOrChargeback(disputeWon) },
  ...ignored('IntentRequested', 'IntentCreated', 'DebitRequested', 'PaymentPageCompleted'),
  ...ignored('AuthorizationExpiring', 'CaptureRequested', 'CaptureRejected', 'AuthorizationClosed'),
  ...ignored(
    'CancelRequested',
    'RefundQueued',
    'RefundRequested',
    'RefundRejected',
    'RefundAbandoned',
  ),
  ...ignored('RefundObserved', 'RefundSent', 'RefundFailed', 'DisputeStatusChanged'),
  ...ignored('RequestResultUnknown', 'RequestResultResolved'),
};

/** Reacts to an event of a payment. */
export const onPayment = (
  state: Checkout,
  { paymentId, event }: Extract<CheckoutMessage, { from: 'payment' }>,
  context: CheckoutContext,
): CheckoutReaction => {
  const reaction: 'ignored' | PaymentReaction<never> = ON_PAYMENT[event.type];
  if (reaction === 'ignored') return stay(state);
  const { whilePaying, afterwards } = reaction as PaymentReaction<PaymentEvent>;
  if (state.status === 'paying') {
    // Events of an earlier payment of the order change nothing, even if they arrive late.
    const isCurrent = paymentId === state.paymentId;
    return isCurrent && whilePaying ? whilePaying(state, event, context) : stay(state);
  }
  if (!afterwards) return stay(state);
  // The saga sends the command for every payment of the order. The order aggregate checks whether
  // this payment has paid the order.
  const note = afterwards(event, paymentId, context.now);
  return note === null ? stay(state) : { ...stay(state), commands: [toOrder(note)] };
};
