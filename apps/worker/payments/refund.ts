import { done, lookAgain, stuck } from '#jobs';
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
import { ProviderRejected, ProviderUnknownOutcome, readPayment } from '#psp';
import { readIntent } from './intent-call.js';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

type Wanted = NonNullable<ReturnType<typeof openRequest>>;

interface Refunding extends EffectContext {
  readonly payment: Existing;
  readonly wanted: Wanted;
}

type When = { readonly settles: 'refund' } | { readonly precedes: 'refund' };

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

/** The refunds that the provider shows and we do not know. */
const newRefunds = (payment: Existing, seen: Observation) => {
  const known = new Set(payment.refunds.filter(isMade).map(({ refundId }) => refundId));
  return (seen.refunds ?? []).filter(({ refundId }) => !known.has(refundId));
};

/**
 * Whether a refund like the wanted one was made since it was asked for, of which nothing is known.
 * After a restore of our database it may be the call that the database forgot; so may one that was
 * made before, in the time that the restore has lost: it was asked for then, and is asked for again.
 */
const maybeOurs = ({ payment, wanted, lost }: Refunding, seen: Observation): boolean => {
  const since = msOf(wanted.createdAt) - CLOCK_SKEW_MS;
  return newRefunds(payment, seen).some(
    ({ amountMinor, createdAt }) =>
      amountMinor === wanted.amountMinor &&
      (msOf(createdAt) >= since || isOfLostTime(createdAt, lost)),
  );
};

/** A call may have been made: its refund is there, or is looked for again. Never a second call. */
const lookFor = (context: Refunding, seen: Observation): EffectOutcome => {
  const { payment, wanted } = context;
  const command = observe(context, seen, { settles: 'refund' });
  const isThere = newRefunds(payment, seen).some(
    ({ amountMinor }) => amountMinor === wanted.amountMinor,
  );
  if (isThere) return done('the refund is there', command);
  return lookAgain('the provider shows no new refund', unknown(context), command);
};

const call = async (context: Refunding, seen: Observation): Promise<EffectOutcome> => {
  const { payment, wanted, client, stillHeld } = context;
  try {
    stillHeld();
    const answer = await client.refundIntent(payment.intentId, wanted.amountMinor);
    const isKnown = seen.refunds?.some(({ refundId }) => refundId === answer.refundId) ?? false;
    if (isKnown || answer.amountMinor !== wanted.amountMinor) {
      return stuck(
        `answered another refund: ${answer.refundId} of ${answer.amountMinor}`,
        unknown(context),
      );
    }
    // All others of the list are known: what the answer adds is the one that we asked for.
    const refunds = [...(seen.refunds ?? []), answer];
    const command = observe(context, { ...seen, refunds }, { settles: 'refund' });
    return done(`answered ${answer.status}`, command);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return lookAgain(error.message, unknown(context));
  }
};

/** 409: because of what the payment has become, e.g. disputed; it is read to know it too. */
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
 * Refunds once. The provider's refund carries no reference, so ours is told by what is new: what
 * the list shows before the call is taken in first, and after a call of unknown outcome a new refund
 * of that amount is ours. One that is not there is looked for until a person decides, and never sent
 * again: the first call might still arrive. Nor is one sent beside its like, which a person looks at.
 */
export const refund: Effect = async (context) => {
  const { job, payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const wanted = openRequest(payment.refunds);
  if (wanted === null) return done('not needed: no refund is asked for');
  const refunding: Refunding = { ...context, payment, wanted };
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const seen = await client.details(intent);
  if (job.found === 'running' || payment.unknown.includes('refund')) {
    return lookFor(refunding, seen);
  }
  // Its outcome is not noted as unknown: the next look would then take the other refund for it.
  if (maybeOurs(refunding, seen)) return stuck('a refund like it was made since it was asked for');
  const forgotten = refundOfLostTime(payment.refunds, wanted, context.lost);
  if (forgotten !== null) {
    return stuck(`${forgotten.refundId} is like it, and was made in the time that a restore lost`);
  }
  const before = observe(context, seen, { precedes: 'refund' });
  if ((seen.disputes ?? []).length > 0) {
    return done('disputed', before, reject(refunding, 'the payment is disputed'));
  }
  if (newRefunds(payment, seen).length > 0) return lookAgain('another refund was made', before);
  if (seen.refunds === null) return lookAgain(`the intent shows ${seen.intent.status}`, before);
  return call(refunding, seen);
};
