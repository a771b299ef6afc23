import { type Instant, newId } from '#kernel';
import {
  exists,
  type LostTime,
  mayResultFrom,
  type Observation,
  type Payment,
  type PaymentCommand,
  refundOfLostTime,
  unrecordedRefunds,
} from '#payment';
import { mayArrive, undecided } from './undecided.js';

/**
 * Whether an equal refund at the provider is the result of our request (`ours`) or not (`others`).
 * An operator decides this if the provider's data do not show it.
 */
export const REFUND_IS = ['ours', 'others'] as const;
export type RefundIs = (typeof REFUND_IS)[number];

export interface RefundToResolve {
  readonly payment: Payment;
  readonly paymentId: string;
  /** The id of our refund request (`rfr_…`); null if the request is no refund. */
  readonly requestId: string | null;
  /** Whether the request was last sent so long ago that it can no longer reach the provider. */
  readonly isQuiet: boolean;
  readonly refundIs: RefundIs;
  readonly lost: readonly LostTime[];
  readonly at: Instant;
}

export interface ResolvedRefund {
  readonly outcome: 'made' | 'not_made' | 'others';
  readonly commands: readonly PaymentCommand[];
}

/**
 * Resolves a refund request whose retries are exhausted, by the state that the provider shows.
 * @throws Rejection `UNDECIDED`
 */
export const resolveRefund = (
  observation: Observation,
  { payment, paymentId, requestId, isQuiet, refundIs, lost, at }: RefundToResolve,
): ResolvedRefund => {
  const refunds = exists(payment) ? payment.refunds : [];
  const wanted = refunds.find((refund) => refund.requestId === requestId);
  if (!exists(payment) || wanted === undefined) {
    throw undecided('refund_not_requested', 'the payment has no such refund request');
  }
  // An earlier read has already resolved the refund. Only the job of this request remains, and it
  // blocks later jobs of the payment.
  if (wanted.status !== 'requested') {
    return { outcome: wanted.status === 'rejected' ? 'not_made' : 'made', commands: [] };
  }
  const isThere = unrecordedRefunds(refunds, observation.refunds).some((one) =>
    mayResultFrom(wanted, one),
  );
  const isUnknown = payment.unknown.includes('refund');
  const forgotten = refundOfLostTime(refunds, wanted, lost, observation.refunds);
  const seen = { type: 'ObservePayment', paymentId, observation, at } as const;
  const rejected = (reason: string) =>
    ({ type: 'RejectRefund', requestId: wanted.requestId, reason, at }) as const;

  if (refundIs === 'others') {
    if (!isThere && forgotten === null) {
      throw undecided('no_other_refund', 'the provider shows no refund of the same amount');
    }
    if (isThere && isUnknown)
      throw undecided(
        'possibly_ours',
        'our request has an unknown result, so this refund at the provider may be ours',
      );
    if (isUnknown && !isQuiet) throw mayArrive();
    const observe = { ...seen, precedes: 'refund' } as const;
    if (lost.length === 0) return { outcome: 'others', commands: [observe] };
    // After a database restore, the refund is requested again in place of the earlier request,
    // because an operator has decided that the existing refund is not the requested refund.
    const { amountMinor, reference, reason } = wanted;
    const again = {
      type: 'RequestRefund',
      requestId: newId('rfr'),
      amountMinor,
      reference,
      reason,
      replaces: wanted.requestId,
      at,
    } as const;
    const commands = [
      observe,
      rejected(
        'the existing refund at the provider is a different refund, so this refund is requested again',
      ),
      again,
    ];
    return { outcome: 'others', commands };
  }
  const observe = { ...seen, resolves: 'refund' } as const;
  if (isThere) return { outcome: 'made', commands: [observe] };
  if (forgotten !== null) {
    if (isUnknown && !isQuiet) throw mayArrive();
    const reason = `${forgotten.refundId} is this refund: the provider made it in the period whose events a database restore lost`;
    const giveUp = { type: 'GiveUpRefund', requestId: wanted.requestId, at } as const;
    return { outcome: 'made', commands: [observe, rejected(reason), giveUp] };
  }
  if (observation.refunds === null) {
    throw undecided('refunds_not_listed', 'the provider does not list the refunds');
  }
  if (!isQuiet) throw mayArrive();
  return {
    outcome: 'not_made',
    commands: [observe, rejected('the provider did not execute the refund')],
  };
};
