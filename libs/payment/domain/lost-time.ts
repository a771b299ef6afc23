import { type Instant, MINUTE_MS, msOf } from '#kernel';
import type { ObservedRefund } from './observation.js';
import {
  isMade,
  type MadeRefund,
  type Refund,
  refundOf,
  type RequestedRefund,
  unrecordedRefunds,
} from './refunds-and-disputes.js';

/** A period of business time whose events were lost by a restore of the log. */
export interface LostTime {
  readonly since: Instant;
  readonly until: Instant;
}

/** The maximum assumed difference between the provider's clock and ours. */
export const CLOCK_SKEW_MS = MINUTE_MS;

export const isOfLostTime = (at: Instant, lost: readonly LostTime[]): boolean =>
  lost.some(
    ({ since, until }) =>
      msOf(at) >= msOf(since) - CLOCK_SKEW_MS && msOf(at) <= msOf(until) + CLOCK_SKEW_MS,
  );

/**
 * A refund of the requested amount that the provider made in the lost time and that belongs to no
 * recorded request: a recorded refund, or one that only the read shows (`seen`). The new request may
 * repeat the lost request that led to this refund. Null if there is no such refund. Also null if the
 * new request replaces a request that was made after this refund, because an operator has already
 * decided about the refund for the replaced request.
 */
export const refundOfLostTime = (
  refunds: readonly Refund[],
  wanted: RequestedRefund,
  lost: readonly LostTime[],
  seen: readonly ObservedRefund[] | null,
): Pick<MadeRefund, 'refundId'> | null => {
  const replaced = wanted.replaces === undefined ? null : refundOf(refunds, wanted.replaces);
  const unexplained = refunds.filter(isMade).filter(({ requestId }) => requestId === null);
  return (
    [...unexplained, ...unrecordedRefunds(refunds, seen)].find(
      ({ amountMinor, createdAt }) =>
        amountMinor === wanted.amountMinor &&
        isOfLostTime(createdAt, lost) &&
        (replaced === null || msOf(replaced.createdAt) <= msOf(createdAt) + CLOCK_SKEW_MS),
    ) ?? null
  );
};
