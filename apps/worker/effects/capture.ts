import {
  exists, type Existing, observationOfAnswer, type PaymentCommand, readPayment, withAttempts,
} from '#payment';
import { ProviderRejected, ProviderUnknownOutcome } from '#provider';
import {
  done, type Effect, type EffectContext, type EffectOutcome, lookAgain, stuck,
} from './effect-job.js';
import { isCapturable, isPastCapture } from './intent-statuses.js';

const observed = (
  observation: Awaited<ReturnType<typeof readPayment>>, { now }: EffectContext,
): PaymentCommand => ({
  type: 'ObservePayment', observation, settles: 'capture', at: now(),
});

const afterRejection = async (
  context: EffectContext, payment: Existing, error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409) return stuck(reason);
  const observation = await readPayment(context.client, payment.intentId);
  const command = observed(observation, context);
  const { status } = observation.intent;
  return isPastCapture(status) ? done(reason, command) : lookAgain(reason, command);
};

const send = async (context: EffectContext, payment: Existing): Promise<EffectOutcome> => {
  const { client, stillHeld, now } = context;
  try {
    stillHeld();
    const answer = await client.captureIntent(payment.intentId);
    const command = observed(observationOfAnswer(answer), context);
    if (isPastCapture(answer.status)) return done(`answered ${answer.status}`, command);
    return lookAgain(`answered ${answer.status}`, command);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, payment, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return lookAgain(error.message, { type: 'NoteUnknownOutcome', call: 'capture', at: now() });
  }
};

/**
 * Captures an authorized intent. It is read first and captured only when it shows `authorized`,
 * also after a call of unknown outcome: then nothing was done yet, and should the lost call still
 * arrive, a second capture changes nothing at the provider.
 */
export const capture: Effect = async (context) => {
  const { payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const isWanted = payment.status === 'authorized' && payment.cancel !== 'cancellation';
  const isUnknown = payment.unknown.includes('capture');
  if (!isWanted && !isUnknown) return done(`not wanted any more: the payment is ${payment.status}`);

  const intent = await client.getIntent(payment.intentId);
  if (isWanted && isCapturable(intent.status)) return send(context, payment);
  const command = observed(await withAttempts(client, intent), context);
  const note = `the intent shows ${intent.status}`;
  return !isWanted || isPastCapture(intent.status) ? done(note, command) : lookAgain(note, command);
};
