import { type Instant, MINUTE_MS, msOf } from '#kernel';
import {
  isMade,
  type MadeRefund,
  type Refund,
  refundOf,
  type RequestedRefund,
} from './refunds-and-disputes.js';

/** Business time of which the log knows nothing, as a restore has lost it. */
export interface LostTime {
  readonly since: Instant;
  readonly until: Instant;
}

/** How far the provider's clock may be off ours. */
export const CLOCK_SKEW_MS = MINUTE_MS;

export const isOfLostTime = (at: Instant, lost: readonly LostTime[]): boolean =>
  lost.some(
    ({ since, until }) =>
      msOf(at) >= msOf(since) - CLOCK_SKEW_MS && msOf(at) <= msOf(until) + CLOCK_SKEW_MS,
  );

/**
 * A refund that the provider made in the lost time, of the wanted amount, which no request that we
 * know has asked for: the wanted one may be its request, made again. Null where there is none, or
 * the wanted request replaces one that was asked for after it: that was held for a person, who has
 * told the two apart.
 */
export const refundOfLostTime = (
  refunds: readonly Refund[],
  wanted: RequestedRefund,
  lost: readonly LostTime[],
): MadeRefund | null => {
  const replaced = wanted.replaces === undefined ? null : refundOf(refunds, wanted.replaces);
  return (
    refunds
      .filter(isMade)
      .find(
        ({ requestId, amountMinor, createdAt }) =>
          requestId === null &&
          amountMinor === wanted.amountMinor &&
          isOfLostTime(createdAt, lost) &&
          (replaced === null || msOf(replaced.createdAt) <= msOf(createdAt) + CLOCK_SKEW_MS),
      ) ?? null
  );
};
