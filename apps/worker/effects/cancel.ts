import {
  exists, type Existing, observationOfAnswer, type PaymentCommand, readPayment, withAttempts,
} from '#payment';
import {
  isProviderError, ProviderRejected, ProviderUnknownOutcome, type WirePaymentIntent,
} from '#provider';
import {
  done, type Effect, type EffectContext, type EffectOutcome, lookAgain, stuck,
} from './effect-job.js';
import { isPaid, isPastCancel } from './intent-statuses.js';

type Observed = Awaited<ReturnType<typeof readPayment>>;

const observed = (observation: Observed, { now }: EffectContext): PaymentCommand => ({
  type: 'ObservePayment', observation, settles: 'cancel', at: now(),
});

/** With its attempts where they can be read: the answer alone is the truth about the intent. */
const readFully = async (
  { client }: EffectContext, answer: WirePaymentIntent,
): Promise<Observed> => {
  try {
    return await withAttempts(client, answer);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    return observationOfAnswer(answer);
  }
};

const afterRejection = async (
  context: EffectContext, payment: Existing, error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409) return stuck(reason);
  const observation = await readPayment(context.client, payment.intentId);
  const command = observed(observation, context);
  const { status } = observation.intent;
  return isPastCancel(status) ? done(reason, command) : lookAgain(reason, command);
};

const send = async (context: EffectContext, payment: Existing): Promise<EffectOutcome> => {
  const { client, stillHeld, now } = context;
  try {
    stillHeld();
    const answer = await client.cancelIntent(payment.intentId);
    const command = observed(await readFully(context, answer), context);
    const note = `answered ${answer.status}`;
    return isPastCancel(answer.status) ? done(note, command) : lookAgain(note, command);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, payment, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return lookAgain(error.message, { type: 'NoteUnknownOutcome', call: 'cancel', at: now() });
  }
};

/**
 * Cancels an intent, which releases an authorization. It is read first: when an order has only
 * expired, a payer who paid in the last moment has paid, and nothing is taken back.
 */
export const cancel: Effect = async (context) => {
  const { payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const isUnknown = payment.unknown.includes('cancel');
  if (payment.cancel === null && !isUnknown) {
    return done(`not wanted any more: the payment is ${payment.status}`);
  }
  const intent = await client.getIntent(payment.intentId);
  const { status } = intent;
  const isOver = isPastCancel(status);
  const stands = payment.cancel === null || (payment.cancel === 'expiry' && isPaid(status));
  if (!isOver && !stands) return send(context, payment);
  return done(`the intent shows ${status}`, observed(await withAttempts(client, intent), context));
};
