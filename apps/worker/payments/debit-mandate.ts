import { done, retryLater, stuck } from '#jobs';
import { exists, type Existing, moneyMismatch } from '#payment';
import {
  intentOnly,
  ProviderRejected,
  ProviderUnknownOutcome,
  readPayment,
  type ShownIntent,
} from '#psp';
import { observed, readIntent } from './intent-call.js';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

const DEBIT = { call: 'debit_mandate' } as const;

/**
 * Handles a refusal. 409: the mandate is not signed, or an earlier call has already debited the
 * mandate; a read shows which.
 */
const afterRejection = async (
  context: EffectContext,
  payment: Existing,
  error: ProviderRejected,
): Promise<EffectOutcome> => {
  const reason = `${error.status} ${error.providerMessage}`.trim();
  if (error.status !== 409 && error.status !== 422) return stuck(reason);
  const observation = await readPayment(context.client, payment.intentId);
  const command = observed(DEBIT, observation, context);
  // The decider ignores this rejection if the read has shown the debit.
  return done(reason, command, { type: 'RejectDebit', reason, at: context.now() });
};

const send = async (
  context: EffectContext,
  payment: Existing,
  mandateId: string,
): Promise<EffectOutcome> => {
  const { client, stillHeld, now } = context;
  let answer: ShownIntent;
  try {
    stillHeld();
    answer = await client.debitMandate(payment.intentId, mandateId);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(context, payment, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return retryLater(error.message, {
      type: 'NoteUnknownOutcome',
      call: 'debit_mandate',
      at: now(),
    });
  }
  // If this read fails, the next run reads the intent, which shows the debit, and sends nothing.
  const command = observed(DEBIT, await client.details(answer), context);
  return done(`status in the response: ${answer.status}`, command);
};

/**
 * Delays the debit or blocks it for an operator: the payer may already have paid for the same
 * order, by a debit whose events a database restore lost.
 */
const hold = ({ held }: EffectContext): EffectOutcome | null => {
  if (held === null) return null;
  if (held === 'unread') {
    return retryLater(
      'waits until the payments of the period whose events a database restore lost have been listed',
    );
  }
  return stuck(
    `the provider's payment ${held.attemptId} debited this mandate by this amount in the period ` +
      'whose events a database restore lost, for an order that is not in the log: an operator must resolve whether it is this debit',
  );
};

/**
 * Debits the mandate that the payment's terms name; the payer is not present. The intent is read
 * first, and the debit is sent only if the intent has no attempt. After a call with an unknown
 * result the debit is sent in the same way: if the first call arrives late, the provider refuses
 * the second, because an intent has one attempt at a time.
 */
export const debitMandate: Effect = async (context) => {
  const { payment, client } = context;
  const isWanted = payment.status === 'open' && payment.debit === 'requested';
  if (!exists(payment) || !isWanted || payment.cancel !== null) {
    return done(`no longer requested: the payment is ${payment.status}`);
  }
  const { mandateId } = payment.terms;
  if (mandateId === undefined) return done('not needed: the payer pays');
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const isUntouched = intent.status === 'open' && !intent.hasAttempt;
  const isOurMoney = moneyMismatch(payment, intentOnly(intent)) === null;
  if (isUntouched && isOurMoney) return hold(context) ?? send(context, payment, mandateId);
  const command = observed(DEBIT, await client.details(intent), context);
  return done(`the intent shows ${intent.status}`, command);
};
