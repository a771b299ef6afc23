import type { Instant } from '#kernel';
import { assert } from '#kernel';
import { isShownOneByOne, openCapture } from './capture.js';
import { type Method, phaseOf, phasesBetween } from './intent-track.js';
import type { Observation, ObservedAttempt, ObservedCapture } from './observation.js';
import { hasMoney, mayHaveCaptures } from './captured.js';
import {
  captureOfIntent,
  isKnownCapture,
  observeCapture,
  observeClosing,
  observeEndedCapture,
} from './observe-capture.js';
import { mayHaveRefunds, observeDispute, observeRefund } from './observe-refunds-and-disputes.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent, ProviderCall } from './payment-event.js';
import { identityMismatch, type Mismatch, moneyMismatch } from './observed-mismatch.js';
import { evolve, mismatchKey } from './payment-evolve.js';
import type { Existing, IntentPhase, Payment } from './payment.js';
import { exists } from './payment.js';
import { openRequest } from './refunds-and-disputes.js';

const latestOf = (seen: Observation): ObservedAttempt | undefined => seen.attempts?.at(-1);

/**
 * The possible payment methods of a payment: the method of the latest attempt, or both methods if
 * the read shows no attempt.
 */
const methodsOf = (seen: Observation): readonly Method[] => {
  const method = latestOf(seen)?.method;
  return method ? [method] : ['card', 'sepa'];
};

/** The details of the payment method to record; an empty object if the provider shows none. */
const methodDetailsOf = ({
  methodDetails,
}: ObservedAttempt): Pick<ObservedAttempt, 'methodDetails'> =>
  methodDetails === undefined ? {} : { methodDetails };

/** The phases of an intent whose latest direct debit was accepted. */
const DEBITED: ReadonlySet<IntentPhase> = new Set(['processing', 'capture_sent', 'returned']);

const newRefusals = (payment: Existing, seen: Observation, at: Instant): PaymentEvent[] => {
  const latest = latestOf(seen);
  // If a direct debit was returned, its accepted attempt is not recorded as refused, because the
  // return itself is recorded. The intent was read before its attempts, so it may not show the
  // return yet; the next read then shows it.
  const phase = phaseOf(seen.intent.status, 'sepa');
  const returned = latest?.method === 'sepa' && phase !== null && DEBITED.has(phase);
  return (seen.attempts ?? [])
    .filter(({ status }) => status === 'refused' || status === 'failed')
    .filter((attempt) => !returned || attempt !== latest)
    .filter(({ attemptId }) => !payment.refusedAttempts.includes(attemptId))
    .map((attempt) => ({
      type: 'AttemptRefused',
      attemptId: attempt.attemptId,
      responseCode: attempt.response,
      ...methodDetailsOf(attempt),
      at,
    }));
};

const acceptedDebit = (attempt: ObservedAttempt, at: Instant): PaymentEvent => ({
  type: 'DirectDebitAccepted',
  attemptId: attempt.attemptId,
  ...(attempt.mandateId === null ? {} : { mandateId: attempt.mandateId }),
  ...methodDetailsOf(attempt),
  at,
});

/** A recorded payment, with the latest attempt that a read shows. */
interface ObservedPayment {
  readonly payment: Existing;
  readonly paymentId: string;
  readonly latest: ObservedAttempt | undefined;
  readonly at: Instant;
}

const eventOf = (
  phase: IntentPhase,
  { payment, paymentId, latest, at }: ObservedPayment,
): PaymentEvent => {
  switch (phase) {
    case 'authorized': {
      assert(latest, 'an authorization is observed with its attempt');
      const { attemptId, authorizedUntil: expiresAt } = latest;
      return { type: 'PaymentAuthorized', attemptId, expiresAt, ...methodDetailsOf(latest), at };
    }
    case 'processing':
      assert(latest, 'a direct debit is observed with its attempt');
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
      return { type: 'DirectDebitReturned', reasonCode: latest?.response ?? null, at };
    case 'open':
      assert(false, 'the phase never changes back to open');
  }
};

const isDebit = (payment: Payment, seen: Observation): boolean => {
  const method = latestOf(seen)?.method;
  if (method) return method === 'sepa';
  if ('method' in payment) return payment.method === 'sepa';
  return payment.status === 'processing' || payment.status === 'returned';
};

/**
 * Removes the captures of a direct debit from a read: a direct debit is captured as a whole, and
 * the intent's status shows it.
 */
const withoutDebitCaptures = (payment: Payment, seen: Observation): Observation => {
  if (seen.intent.captures === undefined || !isDebit(payment, seen)) return seen;
  const { captures: _captures, ...intent } = seen.intent;
  return { ...seen, intent };
};

/**
 * The phases after the recorded phase, up to the observed phase. Null if the payment's method does
 * not allow both phases.
 */
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
    return [{ type: 'PaymentMismatchObserved', aspect: 'status', expected, observed, at }];
  }
  const latest = latestOf(seen);
  // Some phases can be recorded only with the attempt, which the response to a request does not
  // contain. The next full read records them.
  if (latest === undefined && phases.some(needsAttempt)) return [];
  const isByCapture = seen.intent.captures !== undefined || isShownOneByOne(payment.captures);
  return phases
    .filter((phase) => !isByCapture || !isCapturePhase(phase))
    .map((phase) => eventOf(phase, { payment, paymentId, latest, at }));
};

const needsAttempt = (phase: IntentPhase): boolean =>
  phase === 'authorized' || phase === 'processing' || phase === 'returned';

const isCapturePhase = (phase: IntentPhase): boolean =>
  phase === 'to_capture' || phase === 'capture_sent' || phase === 'captured';

/**
 * Whether the payment's state shows the result of the provider request, so that the result is no
 * longer unknown.
 */
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

/**
 * Whether this read resolves the unknown result of the request, because it was made for this
 * request. A refund is resolved only when a read shows it.
 */
const resolvedBy = (resolves: ProviderCall | undefined, call: ProviderCall): boolean =>
  call === resolves && call !== 'refund';

const isRecordedMismatch = (payment: Payment, event: PaymentEvent): boolean =>
  event.type === 'PaymentMismatchObserved' &&
  'mismatches' in payment &&
  payment.mismatches.includes(mismatchKey(event));

const unknownCalls = (payment: Payment): readonly ProviderCall[] =>
  'unknown' in payment ? payment.unknown : [];

/**
 * Moves the recorded state forward to the state that the read shows, and never back. Facts that are
 * recorded already and older facts are ignored, and each mismatch is recorded once. So the newest
 * read decides the state, whichever older reads were recorded, how often and in whatever order. An
 * intent that belongs to another payment is only recorded as a mismatch, and resolves no request.
 * If only the amount or the currency differs, the intent's status is still recorded, because our
 * payment must end when its intent ends.
 */
export const observePayment = (
  before: Exclude<Payment, { status: 'none' | 'rejected' }>,
  command: PaymentCommand & { type: 'ObservePayment' },
): readonly PaymentEvent[] => {
  const { paymentId, resolves, precedes, ourRefundId = null, at } = command;
  const observation = withoutDebitCaptures(before, command.observation);
  const mismatch = (found: Mismatch | null): PaymentEvent[] =>
    found === null ? [] : [{ type: 'PaymentMismatchObserved', ...found, at }];
  const events: PaymentEvent[] = [];
  let payment: Payment = before;
  const record = (event: PaymentEvent): void => {
    events.push(event);
    payment = evolve(payment, event);
  };
  const recordNew = (news: readonly PaymentEvent[]): void => {
    for (const event of news) if (!isRecordedMismatch(payment, event)) record(event);
  };
  const { intent } = observation;
  const stranger = identityMismatch(paymentId, before, intent);
  if (stranger !== null) {
    recordNew(mismatch(stranger));
    return events;
  }
  if (before.status === 'requested') {
    const { intentId, pageUrl } = intent;
    record({ type: 'IntentCreated', intentId, pageUrl, at });
    const { mandateId } = before.terms;
    if (mandateId !== undefined) record({ type: 'DebitRequested', mandateId, at });
  }
  const current: Payment = payment;
  assert(exists(current), 'an observed payment exists');
  // A mismatch of the amount is recorded first, so that the reactions to the following events take
  // it into account.
  recordNew(mismatch(moneyMismatch(current, observation)));
  recordNew(newRefusals(current, observation, at));
  recordNew(progress(current, paymentId, observation, at));
  // If the intent's status contradicts the recorded phase, a mismatch is recorded for the status,
  // and none for the captures.
  const isStatusPossible = newPhases(current, observation) !== null;
  const recordCapture = (capture: ObservedCapture): void => {
    if (mayHaveCaptures(payment)) {
      recordNew(observeCapture(payment, capture, { currency: intent.currency, at }));
    } else if (isStatusPossible && exists(payment)) {
      recordNew(observeEndedCapture(payment, capture, at));
    }
  };
  const isOurs = (capture: ObservedCapture) => isKnownCapture(current, capture);
  intent.captures?.filter(isOurs).forEach(recordCapture);
  if (mayHaveCaptures(payment)) recordNew(observeClosing(payment, intent, at));
  // Captures made directly at the provider are recorded last: if they leave too little for our
  // capture request, that request must fail first.
  intent.captures?.filter((capture) => !isOurs(capture)).forEach(recordCapture);
  const mayBeOurs = resolves === 'refund' || unknownCalls(payment).includes('refund');
  const whose = precedes === 'refund' ? 'others' : mayBeOurs ? 'may be ours' : 'undecided';
  for (const refund of observation.refunds ?? []) {
    if (mayHaveRefunds(payment))
      recordNew(observeRefund(payment, refund, { whose, ourRefundId, at }));
  }
  for (const dispute of observation.disputes ?? []) {
    if (hasMoney(payment)) recordNew(observeDispute(payment, dispute, at));
  }
  for (const call of unknownCalls(payment)) {
    const isSettled = resolvedBy(resolves, call) || proves(payment, call);
    if (isSettled) record({ type: 'RequestResultResolved', request: call, at });
  }
  return events;
};
