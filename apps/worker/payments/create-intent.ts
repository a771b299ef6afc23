import { done, lookAgain, stuck } from '#jobs';
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

/** The intent that an earlier call has made, if one did. */
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
    settles: 'create_intent',
    at: now(),
  });

/**
 * The answer is about no intent of this payment's: it is not believed, and a person looks. Ours may
 * have been made all the same.
 */
const isNotOurs = ({ job, now }: EffectContext, observation: Observation): EffectOutcome =>
  stuck(
    `the answer carries ${observation.intent.reference ?? 'no reference'}`,
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
  // Our reference is taken, so an earlier call did its work.
  return (await findExisting(context)) ?? lookAgain(`${reason}, yet it is not found`);
};

/**
 * Creates the payment's intent, once. Whenever an earlier call may have done it, it is looked for
 * first; where it is not found it may be sent again, since our reference lets the provider make
 * only one, whatever arrives late.
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
    return lookAgain(error.message, {
      type: 'NoteUnknownOutcome',
      call: 'create_intent',
      at: now(),
    });
  }
};
