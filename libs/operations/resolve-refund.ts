import type { Instant } from '#kernel';
import {
  exists,
  type Existing,
  leavesRefundOpen,
  type LostTime,
  mayResultFrom,
  type Observation,
  type Payment,
  type PaymentCommand,
  refundOfLostTime,
  type RequestedRefund,
  unrecordedRefunds,
} from '#payment';
import { requestIdOf } from './action-requests.js';
import { mayArrive, undecided } from './undecided.js';

/**
 * Whether an equal refund at the provider is the result of our request (`ours`) or not (`others`).
 * An operator decides this if the provider's data do not show it.
 */
export const REFUND_IS = ['ours', 'others'] as const;
export type RefundIs = (typeof REFUND_IS)[number];

export interface RefundToResolve {
  /** The id of the resolution. */
  readonly id: string;
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

/** A refund request that is still open, with what a read of the provider shows about it. */
interface OpenRefund extends RefundToResolve {
  readonly payment: Existing;
  readonly wanted: RequestedRefund;
  readonly observation: Observation;
  /** Whether the provider shows an unrecorded refund that may be the requested one. */
  readonly isThere: boolean;
  readonly isUnknown: boolean;
  /** The refund of the period that a restore has lost, which may be the requested one. */
  readonly forgotten: { readonly refundId: string } | null;
}

const observed = ({ paymentId, observation, at }: OpenRefund) =>
  ({ type: 'ObservePayment', paymentId, observation, at }) as const;

const rejected = ({ wanted: { requestId }, at }: OpenRefund, reason: string) =>
  ({ type: 'RejectRefund', requestId, reason, at }) as const;

/** An interrupted request must not be closed while it may still reach the provider. */
const assertArrived = ({ isUnknown, isQuiet }: OpenRefund): void => {
  if (isUnknown && !isQuiet) throw mayArrive();
};

/** The equal refund at the provider is not the result of our request, which is sent. */
const resolveAsOthers = (refund: OpenRefund): ResolvedRefund => {
  const { id, wanted, isThere, isUnknown, forgotten, lost, at } = refund;
  if (!isThere && forgotten === null) {
    throw undecided('no_other_refund', 'the provider shows no refund of the same amount');
  }
  if (isThere && isUnknown) {
    throw undecided(
      'possibly_ours',
      'our request has an unknown result, so this refund at the provider may be ours',
    );
  }
  assertArrived(refund);
  const observe = { ...observed(refund), precedes: 'refund' } as const;
  if (lost.length === 0) return { outcome: 'others', commands: [observe] };
  // After a database restore, the refund is requested again in place of the earlier request,
  // because an operator has decided that the existing refund is not the requested refund.
  const { amountMinor, reference, reason } = wanted;
  const again = {
    type: 'RequestRefund',
    requestId: requestIdOf({ id }),
    amountMinor,
    reference,
    reason,
    replaces: wanted.requestId,
    at,
  } as const;
  const why =
    'the existing refund at the provider is a different refund, so this refund is requested again';
  return { outcome: 'others', commands: [observe, rejected(refund, why), again] };
};

/** The equal refund at the provider is the result of our request, or there is none. */
const resolveAsOurs = (refund: OpenRefund): ResolvedRefund => {
  const { payment, wanted, observation, isThere, isQuiet, forgotten, at } = refund;
  const { requestId } = wanted;
  const observe = { ...observed(refund), resolves: 'refund' } as const;
  if (isThere) {
    if (leavesRefundOpen(payment, requestId, observe)) {
      throw undecided(
        'result_not_shown',
        'the provider shows the refund with another currency or beyond the captured amount',
      );
    }
    return { outcome: 'made', commands: [observe] };
  }
  if (forgotten !== null) {
    assertArrived(refund);
    const reason = `${forgotten.refundId} is this refund: the provider made it in the period whose events a database restore lost`;
    const giveUp = { type: 'GiveUpRefund', requestId, at } as const;
    return { outcome: 'made', commands: [observe, rejected(refund, reason), giveUp] };
  }
  if (observation.refunds === null) {
    throw undecided('refunds_not_listed', 'the provider does not list the refunds');
  }
  if (!isQuiet) throw mayArrive();
  return {
    outcome: 'not_made',
    commands: [observe, rejected(refund, 'the provider did not execute the refund')],
  };
};

/**
 * Resolves a refund request whose retries are exhausted, by the state that the provider shows.
 * @throws Rejection `UNDECIDED`
 */
export const resolveRefund = (
  observation: Observation,
  toResolve: RefundToResolve,
): ResolvedRefund => {
  const { payment, requestId, refundIs, lost } = toResolve;
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
  const refund: OpenRefund = {
    ...toResolve,
    payment,
    wanted,
    observation,
    isThere: unrecordedRefunds(refunds, observation.refunds).some((one) =>
      mayResultFrom(wanted, one),
    ),
    isUnknown: payment.unknown.includes('refund'),
    forgotten: refundOfLostTime(refunds, wanted, lost, observation.refunds),
  };
  return refundIs === 'others' ? resolveAsOthers(refund) : resolveAsOurs(refund);
};
