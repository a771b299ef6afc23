import { assert } from '#kernel';
import { observationOfAnswer, type Payment, withDetails } from '#payment';
import {
  type CreateIntentBody, ProviderRejected, ProviderUnknownOutcome, type WirePaymentIntent,
} from '#provider';
import { done, lookAgain } from './effect-job.js';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

const bodyOf = (
  paymentId: string, { terms }: Extract<Payment, { status: 'requested' }>,
): CreateIntentBody => ({
  amount: terms.amountMinor,
  currency: terms.currency,
  // Always: the capture is a call of its own, which policy or platform decide on.
  capture: false,
  order_id: paymentId,
  unique_id: paymentId,
  methods_allowed: terms.methods,
  ...(terms.description === null ? {} : { description: terms.description }),
  ...(terms.returnUrl === null ? {} : { return_url: terms.returnUrl }),
});

/** The intent that an earlier call has made, if one did. */
const findExisting = async (
  { job, client, now }: EffectContext,
): Promise<EffectOutcome | null> => {
  const found = await client.findIntentsByOrderId(job.subjectId);
  // Normally one; of several the first made is the one whose page was given out.
  const intent = found.at(-1);
  if (intent === undefined) return null;
  const observation = await withDetails(client, intent);
  return done('found by our reference', {
    type: 'ObservePayment', observation, settles: 'create_intent', at: now(),
  });
};

const created = ({ now }: EffectContext, intent: WirePaymentIntent): EffectOutcome =>
  done('created', {
    type: 'ObservePayment', observation: observationOfAnswer(intent), settles: 'create_intent',
    at: now(),
  });

const afterRejection = async (
  context: EffectContext, error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409) {
    return done(reason, { type: 'ObserveIntentRejection', reason, at: context.now() });
  }
  // Our unique_id is taken, so an earlier call did its work.
  return (await findExisting(context)) ?? lookAgain(`${reason}, yet it is not found`);
};

/**
 * Creates the payment's intent, once. Whenever an earlier call may have done it, it is looked for
 * first; where it is not found it may be sent again, since `unique_id` lets the provider make only
 * one, whatever arrives late.
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
    const intent = await client.createIntent(bodyOf(job.subjectId, payment));
    const reference = intent.order_id ?? job.subjectId;
    assert(reference === job.subjectId, 'the answer is about the intent that was asked for');
    return created(context, intent);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return lookAgain(error.message, {
      type: 'NoteUnknownOutcome', call: 'create_intent', at: now(),
    });
  }
};
