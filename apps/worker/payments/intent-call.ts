import { done, lookAgain, stuck } from '#jobs';
import {
  type Existing,
  identityMismatch,
  type Observation,
  type PaymentCommand,
  type ProviderCall,
} from '#payment';
import {
  type IntentFacts,
  intentOnly,
  ProviderRejected,
  ProviderUnknownOutcome,
  readPayment,
  type ShownIntent,
} from '#psp';
import type { EffectContext, EffectOutcome } from './payment-effect.js';

/** A call that changes an intent which exists. */
export interface IntentCall {
  readonly call: 'capture' | 'cancel';
  readonly send: (context: EffectContext, payment: Existing) => Promise<ShownIntent>;
  /** What the answer shows, for the one door. */
  readonly observe: (context: EffectContext, answer: ShownIntent) => Promise<Observation>;
  /** Whether the intent is past what the call could change. */
  readonly isPast: (intent: IntentFacts) => boolean;
}

/** A look that was made for the call, and so settles what became of it. */
export const observed = (
  { call }: { readonly call: ProviderCall },
  observation: Observation,
  { job, now }: EffectContext,
): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: job.subjectId,
  observation,
  settles: call,
  at: now(),
});

/**
 * The payment's intent, read before anything is asked of it; or what becomes of the job where the
 * answer is about another one. Then nothing is sent, until a person has looked.
 */
export const readIntent = async (
  { job, client, now }: EffectContext,
  payment: Existing,
): Promise<ShownIntent | EffectOutcome> => {
  const intent = await client.getIntent(payment.intentId);
  const observation = intentOnly(intent);
  const mismatch = identityMismatch(job.subjectId, payment, observation.intent);
  if (mismatch === null) return intent;
  const note = `the provider shows ${mismatch.observed} instead of ${mismatch.expected}`;
  const paymentId = job.subjectId;
  return stuck(note, { type: 'ObservePayment', paymentId, observation, at: now() });
};

/** Whether an intent that was asked for shows another; then the call's outcome is not known. */
const isAnothers = ({ job }: EffectContext, payment: Existing, { intent }: Observation): boolean =>
  identityMismatch(job.subjectId, payment, intent) !== null;

/** The provider says no: for good, or (409) because of what the intent has become. */
const afterRejection = async (
  intentCall: IntentCall,
  context: EffectContext,
  payment: Existing,
  error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409) return stuck(reason);
  const observation = await readPayment(context.client, payment.intentId);
  const command = observed(intentCall, observation, context);
  const isOver = intentCall.isPast(observation.intent);
  return isOver ? done(reason, command) : lookAgain(reason, command);
};

/** Makes the call once; whatever came of it is observed, or noted as unknown and looked up later. */
export const callIntent = async (
  intentCall: IntentCall,
  context: EffectContext,
  payment: Existing,
): Promise<EffectOutcome> => {
  const { stillHeld, now } = context;
  const { call, send, observe, isPast } = intentCall;
  try {
    stillHeld();
    const answer = await send(context, payment);
    const observation = await observe(context, answer);
    const command = observed(intentCall, observation, context);
    if (isAnothers(context, payment, observation)) {
      const unknown = { type: 'NoteUnknownOutcome', call, at: now() } as const;
      return lookAgain('the answer is about another intent', unknown, command);
    }
    const note = `answered ${answer.status}`;
    return isPast(answer) ? done(note, command) : lookAgain(note, command);
  } catch (error) {
    if (error instanceof ProviderRejected) {
      return afterRejection(intentCall, context, payment, error);
    }
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return lookAgain(error.message, { type: 'NoteUnknownOutcome', call, at: now() });
  }
};
