import { type Instant, MINUTE_MS, msOf } from '#kernel';
import {
  isMade,
  type MadeRefund,
  type Refund,
  refundOf,
  type RequestedRefund,
} from './refunds-and-disputes.js';

/** Business time whose events a restore has lost. */
export interface LostTime {
  readonly since: Instant;
  readonly until: Instant;
}

/** How far the provider's clock may differ from ours. */
export const CLOCK_SKEW_MS = MINUTE_MS;

export const isOfLostTime = (at: Instant, lost: readonly LostTime[]): boolean =>
  lost.some(
    ({ since, until }) =>
      msOf(at) >= msOf(since) - CLOCK_SKEW_MS && msOf(at) <= msOf(until) + CLOCK_SKEW_MS,
  );

/**
 * A refund of the requested amount that the provider made in the lost time and that no stored
 * request explains: the new request may repeat the lost one. Null where there is none, or where the
 * new request replaces a later one: an operator has decided on that.
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
