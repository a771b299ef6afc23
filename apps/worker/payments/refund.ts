import { done, retryLater, stuck } from '#jobs';
import { msOf } from '#kernel';
import {
  CLOCK_SKEW_MS,
  exists,
  type Existing,
  isMade,
  isOfLostTime,
  type Observation,
  openRequest,
  type PaymentCommand,
  refundOfLostTime,
} from '#payment';
import { type MadeRefundFacts, ProviderRejected, ProviderUnknownOutcome, readPayment } from '#psp';
import { readIntent } from './intent-call.js';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

type Wanted = NonNullable<ReturnType<typeof openRequest>>;

interface Refunding extends EffectContext {
  readonly payment: Existing;
  readonly wanted: Wanted;
}

type When = { readonly resolves: 'refund' } | { readonly precedes: 'refund' };

const observe = (
  { job, now }: EffectContext,
  observation: Observation,
  when: When,
): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: job.subjectId,
  observation,
  ...when,
  at: now(),
});

const unknown = ({ now }: EffectContext): PaymentCommand => ({
  type: 'NoteUnknownOutcome',
  call: 'refund',
  at: now(),
});

const reject = ({ wanted, now }: Refunding, reason: string): PaymentCommand => ({
  type: 'RejectRefund',
  requestId: wanted.requestId,
  reason,
  at: now(),
});

/** The refunds that the provider shows but our event log does not contain. */
const newRefunds = (payment: Existing, seen: Observation) => {
  const known = new Set(payment.refunds.filter(isMade).map(({ refundId }) => refundId));
  return (seen.refunds ?? []).filter(({ refundId }) => !known.has(refundId));
};

/**
 * Whether an unrecorded refund of the requested amount was made since the request, or in the period
 * whose events a database restore has lost. Such a refund may come from a call that the event log
 * has lost.
 */
const maybeOurs = ({ payment, wanted, lost }: Refunding, seen: Observation): boolean => {
  const since = msOf(wanted.createdAt) - CLOCK_SKEW_MS;
  return newRefunds(payment, seen).some(
    ({ amountMinor, createdAt }) =>
      amountMinor === wanted.amountMinor &&
      (msOf(createdAt) >= since || isOfLostTime(createdAt, lost)),
  );
};

/**
 * Used when a call may have been sent already: the refund is searched for, now and in retries. A
 * second call is never sent.
 */
const findRefund = (context: Refunding, seen: Observation): EffectOutcome => {
  const { payment, wanted } = context;
  const command = observe(context, seen, { resolves: 'refund' });
  const isThere = newRefunds(payment, seen).some(
    ({ amountMinor }) => amountMinor === wanted.amountMinor,
  );
  if (isThere) return done('the provider shows the refund', command);
  return retryLater('the provider shows no new refund', unknown(context), command);
};

/** Whether the response shows a refund of another payment. */
const isOfAnother = ({ attempts }: Observation, { attemptId }: MadeRefundFacts): boolean =>
  attemptId !== undefined && !attempts?.some((one) => one.attemptId === attemptId);

const call = async (context: Refunding, seen: Observation): Promise<EffectOutcome> => {
  const { payment, wanted, client, stillHeld } = context;
  try {
    stillHeld();
    const answer = await client.refundIntent(payment.intentId, wanted.amountMinor);
    const isKnown = seen.refunds?.some(({ refundId }) => refundId === answer.refundId) ?? false;
    if (isKnown || isOfAnother(seen, answer) || answer.amountMinor !== wanted.amountMinor) {
      return stuck(
        `the response shows another refund: ${answer.refundId} of ${answer.amountMinor}`,
        unknown(context),
      );
    }
    // Records all refunds of the list, and the requested refund from the response.
    const refunds = [...(seen.refunds ?? []), answer];
    const command = observe(context, { ...seen, refunds }, { resolves: 'refund' });
    return done(`status in the response: ${answer.status}`, command);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return retryLater(error.message, unknown(context));
  }
};

/**
 * 409: the payment has a new status, e.g. disputed; the payment is read to record that status too.
 */
const afterRejection = async (
  context: Refunding,
  error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409 && error.status !== 422) return stuck(reason);
  const seen = await readPayment(context.client, context.payment.intentId);
  return done(reason, reject(context, reason), observe(context, seen, { precedes: 'refund' }));
};

/**
 * Makes a refund, at most once. The provider's refunds contain no reference of ours, so all
 * existing refunds are recorded before the call. After a call with an unknown result, a new refund
 * of the requested amount is taken to be the requested refund. If no such refund appears, the
 * search continues until an operator decides; the call is never sent again, because the first call
 * might still arrive. While the provider shows an unexplained refund of the same amount, no call is
 * sent.
 */
export const refund: Effect = async (context) => {
  const { job, payment, client, refundRequestId } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const wanted = openRequest(payment.refunds);
  if (wanted === null || wanted.requestId !== refundRequestId) {
    return done('not needed: the payment has no such refund request');
  }
  const refunding: Refunding = { ...context, payment, wanted };
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const seen = await client.details(intent);
  if (job.found === 'running' || payment.unknown.includes('refund')) {
    return findRefund(refunding, seen);
  }
  // The result is deliberately not recorded as unknown: otherwise the next read would attribute the
  // unexplained refund to this request.
  if (maybeOurs(refunding, seen))
    return stuck('a refund of the same amount was made since this one was requested');
  const forgotten = refundOfLostTime(payment.refunds, wanted, context.lost);
  if (forgotten !== null) {
    return stuck(
      `${forgotten.refundId} has the same amount, and was made in the period whose events a database restore lost`,
    );
  }
  const before = observe(context, seen, { precedes: 'refund' });
  if ((seen.disputes ?? []).length > 0) {
    return done('disputed', before, reject(refunding, 'the payment is disputed'));
  }
  if (newRefunds(payment, seen).length > 0) return retryLater('another refund was made', before);
  if (seen.refunds === null) return retryLater(`the intent shows ${seen.intent.status}`, before);
  return call(refunding, seen);
};
