import { done, retryLater, stuck } from '#jobs';
import {
  exists,
  type Existing,
  leavesRefundOpen,
  mayResultFrom,
  type Observation,
  openRequest,
  type PaymentCommand,
  refundOfLostTime,
  unrecordedRefunds,
} from '#payment';
import { type MadeRefundFacts, ProviderRejected, ProviderUnknownOutcome, readPayment } from '#psp';
import { readIntent } from './intent-call.js';
import type { Effect, EffectContext, EffectOutcome } from './payment-effect.js';

type Wanted = NonNullable<ReturnType<typeof openRequest>>;

interface Refunding extends EffectContext {
  readonly payment: Existing;
  readonly wanted: Wanted;
}

type When =
  | { readonly resolves: 'refund'; readonly ourRefundId?: string }
  | { readonly precedes: 'refund' };

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

/** Whether an unrecorded refund may be the result of our request. */
const maybeOurs = ({ payment, wanted }: Refunding, seen: Observation): boolean =>
  unrecordedRefunds(payment.refunds, seen.refunds).some((one) => mayResultFrom(wanted, one));

/**
 * Ends the job with the read that shows the refund. If the refund cannot be recorded as the
 * requested one, e.g. because its currency differs, an operator must decide.
 */
const found = (context: Refunding, command: PaymentCommand, note: string): EffectOutcome => {
  const { payment, wanted } = context;
  if (!leavesRefundOpen(payment, wanted.requestId, command)) return done(note, command);
  const contradiction = 'the provider shows the refund with another currency or beyond the capture';
  return stuck(contradiction, command, unknown(context));
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
    const { refundId, amountMinor, currency } = answer;
    const isOtherMoney = amountMinor !== wanted.amountMinor || currency !== payment.terms.currency;
    if (isKnown || isOfAnother(seen, answer) || isOtherMoney) {
      return stuck(
        `the response shows another refund: ${refundId} of ${amountMinor} ${currency}`,
        unknown(context),
      );
    }
    // Records all refunds of the list, and the requested refund from the response.
    const refunds = [...(seen.refunds ?? []), answer];
    const ours = { resolves: 'refund', ourRefundId: answer.refundId } as const;
    const command = observe(context, { ...seen, refunds }, ours);
    return found(context, command, `status in the response: ${answer.status}`);
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
 * of the requested amount that was made since the request is taken to be the requested refund. If
 * no such refund appears, the search continues until an operator decides; the call is never sent
 * again, because the first call might still arrive. While the provider shows an unexplained refund
 * of the same amount, no call is sent: such a refund may come from a call that the event log has
 * lost.
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
  const mayBeSent = job.found === 'running' || payment.unknown.includes('refund');
  if (maybeOurs(refunding, seen)) {
    if (mayBeSent) {
      const command = observe(context, seen, { resolves: 'refund' });
      return found(refunding, command, 'the provider shows the refund');
    }
    // The result is deliberately not recorded as unknown: otherwise the next read would attribute
    // the unexplained refund to this request.
    return stuck('a refund of the same amount was made since this one was requested');
  }
  const forgotten = refundOfLostTime(payment.refunds, wanted, context.lost, seen.refunds);
  if (forgotten !== null) {
    return stuck(
      `${forgotten.refundId} has the same amount, and was made in the period whose events a database restore lost`,
      ...(mayBeSent ? [unknown(context)] : []),
    );
  }
  if (mayBeSent) {
    const command = observe(context, seen, { resolves: 'refund' });
    return retryLater('the provider shows no new refund', unknown(context), command);
  }
  return send(refunding, seen);
};

/** Sends the refund after a read that shows no refund that may be the requested one. */
const send = async (context: Refunding, seen: Observation): Promise<EffectOutcome> => {
  const { payment } = context;
  const before = observe(context, seen, { precedes: 'refund' });
  if ((seen.disputes ?? []).length > 0) {
    return done('disputed', before, reject(context, 'the payment is disputed'));
  }
  if (unrecordedRefunds(payment.refunds, seen.refunds).length > 0) {
    return retryLater('another refund was made', before);
  }
  if (seen.refunds === null) return retryLater(`the intent shows ${seen.intent.status}`, before);
  return call(context, seen);
};
