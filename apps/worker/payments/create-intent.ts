import { done, retryLater, stuck } from '#jobs';
import type { Observation, Payment } from '#payment';
import { intentOnly, type NewIntent, ProviderRejected, ProviderUnknownOutcome } from '#psp';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

const newIntent = (
  reference: string,
  { terms }: Extract<Payment, { status: 'requested' }>,
): NewIntent => {
  const { amountMinor, currency, methods, description, returnUrl } = terms;
  return { reference, amountMinor, currency, methods, description, returnUrl };
};

/** Finds the intent that an earlier call has created, if any. */
const findExisting = async (context: EffectContext): Promise<EffectOutcome | null> => {
  const { job, client } = context;
  const [intent] = await client.findIntents(job.subjectId);
  if (intent === undefined) return null;
  return made(context, await client.details(intent), 'found by our reference');
};

const made = ({ job, now }: EffectContext, observation: Observation, note: string): EffectOutcome =>
  done(note, {
    type: 'ObservePayment',
    paymentId: job.subjectId,
    observation,
    resolves: 'create_intent',
    at: now(),
  });

/**
 * The response shows the intent of a different payment. The response is not recorded, and an
 * operator must decide, because our intent may have been created nevertheless.
 */
const isNotOurs = ({ job, now }: EffectContext, observation: Observation): EffectOutcome =>
  stuck(
    `the response has another reference: ${observation.intent.reference ?? 'none'}`,
    { type: 'ObservePayment', paymentId: job.subjectId, observation, at: now() },
    { type: 'NoteUnknownOutcome', call: 'create_intent', at: now() },
  );

const afterRejection = async (
  context: EffectContext,
  error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409) {
    return done(reason, { type: 'ObserveIntentRejection', reason, at: context.now() });
  }
  // Our reference is in use at the provider, so an earlier call succeeded.
  return (await findExisting(context)) ?? retryLater(`${reason}, yet the intent is not found`);
};

/**
 * Creates the payment's intent, at most once. If an earlier call may have created the intent, the
 * intent is looked up first. If the lookup finds none, the call is repeated: the provider creates
 * only one intent per reference, even if the earlier call arrives late.
 */
export const createIntent: Effect = async (context) => {
  const { job, payment, client, stillHeld, now } = context;
  if (payment.status !== 'requested') return done(`not needed: the payment is ${payment.status}`);
  if (job.found !== 'ready') {
    const existing = await findExisting(context);
    if (existing) return existing;
  }
  try {
    stillHeld();
    const observation = intentOnly(await client.createIntent(newIntent(job.subjectId, payment)));
    const isOurs = observation.intent.reference === job.subjectId;
    return isOurs ? made(context, observation, 'created') : isNotOurs(context, observation);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return retryLater(error.message, {
      type: 'NoteUnknownOutcome',
      call: 'create_intent',
      at: now(),
    });
  }
};
