import { done, retryLater, stuck } from '#jobs';
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

/** The provider's refusal of a call. */
export interface Rejected {
  readonly status: number;
  readonly reason: string;
}

/** A call that changes an existing intent. */
export interface IntentCall {
  readonly call: 'capture' | 'cancel';
  readonly send: (context: EffectContext, payment: Existing) => Promise<ShownIntent>;
  /** Converts the response to an observation. */
  readonly observe: (context: EffectContext, answer: ShownIntent) => Promise<Observation>;
  /**
   * Whether the intent has a status that the call cannot change any more, so that the call has
   * ended.
   */
  readonly isPast: (intent: IntentFacts) => boolean;
  /**
   * Returns the command that records a permanent rejection. Null: the rejection is not permanent.
   */
  readonly reject?: (
    context: EffectContext,
    intent: IntentFacts,
    rejection: Rejected,
  ) => PaymentCommand | null;
}

/** The command that records a read made for the call, and thereby resolves the call's result. */
export const observed = (
  { call }: { readonly call: ProviderCall },
  observation: Observation,
  { job, now }: EffectContext,
): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: job.subjectId,
  observation,
  resolves: call,
  at: now(),
});

/**
 * Reads the payment's intent before a call. If the response shows a different intent, returns an
 * outcome that blocks the job until an operator has decided.
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

/**
 * Whether the response shows the intent of a different payment, so that the call's result is
 * unknown.
 */
const isAnothers = ({ job }: EffectContext, payment: Existing, { intent }: Observation): boolean =>
  identityMismatch(job.subjectId, payment, intent) !== null;

/**
 * Handles a refusal of the call. The call ends if the intent's status shows that the call is no
 * longer possible, or if the rejection is permanent. Any other 409 is retried; any other refusal
 * needs an operator.
 */
const afterRejection = async (
  intentCall: IntentCall,
  context: EffectContext,
  payment: Existing,
  error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  const { isPast, reject } = intentCall;
  if (error.status !== 409 && reject === undefined) return stuck(reason);
  const observation = await readPayment(context.client, payment.intentId);
  const command = observed(intentCall, observation, context);
  if (isAnothers(context, payment, observation)) return retryLater(reason, command);
  if (isPast(observation.intent)) return done(reason, command);
  const rejected = reject?.(context, observation.intent, { status: error.status, reason }) ?? null;
  // The rejection is recorded first, because it releases the amount of the rejected request. Until
  // then, this amount and captures or refunds made directly at the provider might exceed the total.
  if (rejected !== null) return done(reason, rejected, command);
  return error.status === 409 ? retryLater(reason, command) : stuck(reason, command);
};

/**
 * Sends the call once and records the result; an unknown result is recorded as unknown and read
 * later.
 */
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
      return retryLater('the response is about another intent', unknown, command);
    }
    const note = `status in the response: ${answer.status}`;
    return isPast(answer) ? done(note, command) : retryLater(note, command);
  } catch (error) {
    if (error instanceof ProviderRejected) {
      return afterRejection(intentCall, context, payment, error);
    }
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return retryLater(error.message, { type: 'NoteUnknownOutcome', call, at: now() });
  }
};
