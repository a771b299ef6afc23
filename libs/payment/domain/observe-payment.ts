import type { Instant } from '#kernel';
import { assert, DAY_MS, msOf, instantFromMs } from '#kernel';
import { isShownOneByOne, openCapture } from './capture.js';
import { type Method, phaseOf, phasesBetween } from './intent-track.js';
import type { Observation, ObservedAttempt, ObservedCapture } from './observation.js';
import { hasMoney, mayHaveCaptures } from './captured.js';
import {
  captureOfIntent,
  isKnownCapture,
  observeCapture,
  observeClosing,
} from './observe-capture.js';
import { mayHaveRefunds, observeDispute, observeRefund } from './observe-money-back.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent, ProviderCall } from './payment-event.js';
import { identityMismatch, type Mismatch, moneyMismatch } from './observed-mismatch.js';
import { evolve, mismatchKey } from './payment-evolve.js';
import type { Existing, IntentPhase, Payment } from './payment.js';
import { exists } from './payment.js';
import { openRequest } from './refunds-and-disputes.js';

/**
 * docs/provider/payments.md#limits: an authorization that is not captured expires after seven days.
 */
export const AUTHORIZATION_LIFETIME_MS = 7 * DAY_MS;

const latestOf = (seen: Observation): ObservedAttempt | undefined => seen.attempts?.at(-1);

/** The tracks that the payment may be on: one, unless nothing has told card from direct debit. */
const methodsOf = (seen: Observation): readonly Method[] => {
  const method = latestOf(seen)?.method;
  return method ? [method] : ['card', 'sepa'];
};

const newRefusals = (payment: Existing, seen: Observation, at: Instant): PaymentEvent[] => {
  const latest = latestOf(seen);
  // A direct debit that was accepted and comes back is a return, not a refused attempt.
  const returned = latest?.method === 'sepa' && phaseOf(seen.intent.status, 'sepa') === 'returned';
  return (seen.attempts ?? [])
    .filter(({ status }) => status === 'refused' || status === 'failed')
    .filter((attempt) => !returned || attempt !== latest)
    .filter(({ attemptId }) => !payment.refusedAttempts.includes(attemptId))
    .map(({ attemptId, response }) => ({ type: 'AttemptRefused', attemptId, response, at }));
};

const acceptedDebit = ({ attemptId, mandateId }: ObservedAttempt, at: Instant): PaymentEvent => ({
  type: 'DirectDebitAccepted',
  attemptId,
  ...(mandateId === null ? {} : { mandateId }),
  at,
});

/** What a look is at: the payment as it is known, and its latest attempt as it is shown. */
interface Look {
  readonly payment: Existing;
  readonly paymentId: string;
  readonly latest: ObservedAttempt | undefined;
  readonly at: Instant;
}

const eventOf = (phase: IntentPhase, { payment, paymentId, latest, at }: Look): PaymentEvent => {
  switch (phase) {
    case 'authorized': {
      assert(latest, 'an authorization is learnt with its attempt');
      // Counted from the attempt, which precedes the bank's answer: never later than the truth.
      const expiresAt = instantFromMs(msOf(latest.createdAt) + AUTHORIZATION_LIFETIME_MS);
      return { type: 'PaymentAuthorized', attemptId: latest.attemptId, expiresAt, at };
    }
    case 'processing':
      assert(latest, 'a direct debit is learnt with its attempt');
      return acceptedDebit(latest, at);
    case 'to_capture':
      return { type: 'CaptureAccepted', ...captureOfIntent(payment, paymentId), at };
    case 'capture_sent':
      return { type: 'CaptureSent', ...captureOfIntent(payment, paymentId), at };
    case 'captured':
      return { type: 'PaymentCaptured', ...captureOfIntent(payment, paymentId), at };
    case 'canceled':
      return { type: 'PaymentCanceled', at };
    case 'expired':
      return { type: 'AuthorizationExpired', at };
    case 'returned':
      return { type: 'DirectDebitReturned', response: latest?.response ?? null, at };
    case 'open':
      assert(false, 'no phase leads back to open');
  }
};

/** What lies between the known and the seen phase on the track that both can be on. */
const newPhases = (payment: Existing, seen: Observation): readonly IntentPhase[] | null => {
  for (const method of methodsOf(seen)) {
    const observed = phaseOf(seen.intent.status, method);
    const phases = observed && phasesBetween(payment.status, observed, method);
    if (phases) return phases;
  }
  return null;
};

const progress = (
  payment: Existing,
  paymentId: string,
  seen: Observation,
  at: Instant,
): PaymentEvent[] => {
  const phases = newPhases(payment, seen);
  if (phases === null) {
    const { status: observed } = seen.intent;
    const expected = payment.status;
    return [{ type: 'ProviderMismatchObserved', aspect: 'status', expected, observed, at }];
  }
  const latest = latestOf(seen);
  // An answer that shows the intent alone cannot tell of its attempt: the next full read will.
  if (latest === undefined && phases.some(tellsAttempt)) return [];
  const isByCapture = seen.intent.captures !== undefined || isShownOneByOne(payment.captures);
  return phases
    .filter((phase) => !isByCapture || !tellsCapture(phase))
    .map((phase) => eventOf(phase, { payment, paymentId, latest, at }));
};

const tellsAttempt = (phase: IntentPhase): boolean =>
  phase === 'authorized' || phase === 'processing' || phase === 'returned';

const tellsCapture = (phase: IntentPhase): boolean =>
  phase === 'to_capture' || phase === 'capture_sent' || phase === 'captured';

/** Whether what is known of the payment now proves what became of the call. */
export const proves = (payment: Payment, call: ProviderCall): boolean => {
  if (payment.status === 'requested' || !exists(payment)) return false;
  const { status } = payment;
  switch (call) {
    case 'create_intent':
      return true;
    case 'debit_mandate':
      return status !== 'open' || payment.refusedAttempts.length > 0;
    case 'capture':
      return status !== 'open' && status !== 'authorized' && openCapture(payment.captures) === null;
    case 'cancel':
      return !['open', 'processing', 'authorized', 'to_capture'].includes(status);
    case 'refund':
      return openRequest(payment.refunds) === null;
  }
};

/** A look that was made for a call settles it; a refund is settled only by being seen. */
const settledBy = (settles: ProviderCall | undefined, call: ProviderCall): boolean =>
  call === settles && call !== 'refund';

const isToldMismatch = (payment: Payment, event: PaymentEvent): boolean =>
  event.type === 'ProviderMismatchObserved' &&
  'mismatches' in payment &&
  payment.mismatches.includes(mismatchKey(event));

const unknownCalls = (payment: Payment): readonly ProviderCall[] =>
  'unknown' in payment ? payment.unknown : [];

/**
 * Moves our state forward to what the provider shows, never back; ignores what is known and what
 * is older than what is known; tells a contradiction once, as an event. So any order, loss or
 * repetition of looks that ends with the same look ends in the same state.
 *
 * Of an intent that is not this payment's nothing is taken in, and no call is settled by it. Where
 * only its money differs its state is taken in: the intent has to end like any other.
 */
export const observePayment = (
  before: Exclude<Payment, { status: 'none' | 'rejected' }>,
  command: PaymentCommand & { type: 'ObservePayment' },
): readonly PaymentEvent[] => {
  const { paymentId, observation, settles, precedes, at } = command;
  const mismatch = (told: Mismatch | null): PaymentEvent[] =>
    told === null ? [] : [{ type: 'ProviderMismatchObserved', ...told, at }];
  const events: PaymentEvent[] = [];
  let payment: Payment = before;
  const tell = (event: PaymentEvent): void => {
    events.push(event);
    payment = evolve(payment, event);
  };
  const tellNews = (news: readonly PaymentEvent[]): void => {
    for (const event of news) if (!isToldMismatch(payment, event)) tell(event);
  };
  const { intent } = observation;
  const stranger = identityMismatch(paymentId, before, intent);
  if (stranger !== null) {
    tellNews(mismatch(stranger));
    return events;
  }
  if (before.status === 'requested') {
    const { intentId, pageUrl } = intent;
    tell({ type: 'IntentCreated', intentId, pageUrl, at });
    const { mandateId } = before.terms;
    if (mandateId !== undefined) tell({ type: 'DebitRequested', mandateId, at });
  }
  const current: Payment = payment;
  assert(exists(current), 'what is observed exists');
  // First, so that whoever reacts to what follows knows that it is about other money.
  tellNews(mismatch(moneyMismatch(current, intent)));
  tellNews(newRefusals(current, observation, at));
  tellNews(progress(current, paymentId, observation, at));
  const tellCapture = (capture: ObservedCapture): void => {
    if (mayHaveCaptures(payment)) tellNews(observeCapture(payment, capture, at));
  };
  const isOurs = (capture: ObservedCapture) => isKnownCapture(current, capture);
  intent.captures?.filter(isOurs).forEach(tellCapture);
  if (mayHaveCaptures(payment)) tellNews(observeClosing(payment, intent, at));
  // What others have captured comes last: a request of ours that it left no room for has failed.
  intent.captures?.filter((capture) => !isOurs(capture)).forEach(tellCapture);
  const mayBeOurs = settles === 'refund' || unknownCalls(payment).includes('refund');
  const whose = precedes === 'refund' ? 'others' : mayBeOurs ? 'may be ours' : 'not told';
  for (const refund of observation.refunds ?? []) {
    if (mayHaveRefunds(payment)) tellNews(observeRefund(payment, refund, { whose, at }));
  }
  for (const dispute of observation.disputes ?? []) {
    if (hasMoney(payment)) tellNews(observeDispute(payment, dispute, at));
  }
  for (const call of unknownCalls(payment)) {
    const isSettled = settledBy(settles, call) || proves(payment, call);
    if (isSettled) tell({ type: 'OutcomeSettled', call, at });
  }
  return events;
};
