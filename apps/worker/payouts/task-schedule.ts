import {
  DAY_MS, HOUR_MS, type Instant, instantFromMs, MINUTE_MS, msOf, plusMs, SECOND_MS,
} from '#kernel';
import type { Payout } from '#payout';

/**
 * When what is read for an account as a whole, in business time. Completion, "States": payouts are
 * made at 06:00 UTC, leave at 22:00, and are sent and paid in mornings.
 */
const MORNING_MS = 6 * HOUR_MS + MINUTE_MS;
const CUT_OFF_MS = 22 * HOUR_MS + MINUTE_MS;
const DISPUTES_EVERY_MS = 12 * HOUR_MS;
/** After the lines of the morning's payouts have been read. */
const OVERDUE_LOOK_MS = 8 * HOUR_MS;

/** Accounts are not all read in the same minute. */
const SPREAD_MS = 10 * MINUTE_MS;

/** What was made shortly before the last look may not have been listed then. */
export const PAYOUTS_OVERLAP_S = (3 * DAY_MS) / SECOND_MS;
export const DISPUTES_OVERLAP_S = DAY_MS / SECOND_MS;

const FOLLOW_FIRST_MS = 15 * MINUTE_MS;
const FOLLOW_WIDEST_MS = DAY_MS;
const UNAVAILABLE_MS = 15 * MINUTE_MS;
/** A key that is refused will not work in a minute. */
const REFUSED_MS = HOUR_MS;

const nextOnGrid = (at: Instant, everyMs: number, offsetMs: number): Instant => {
  const steps = Math.floor((msOf(at) - offsetMs) / everyMs) + 1;
  return instantFromMs(steps * everyMs + offsetMs);
};

/** The same for an account each day. */
const spreadOf = (accountId: string): number => {
  let hash = 0;
  for (const char of accountId) hash = (hash * 31 + char.charCodeAt(0)) % SPREAD_MS;
  return hash;
};

/** The next look for new payouts: the first minutes after the morning in which they are made. */
export const nextPayoutsLook = (accountId: string, at: Instant): Instant =>
  nextOnGrid(at, DAY_MS, MORNING_MS + spreadOf(accountId));

export const nextDisputesLook = (accountId: string, at: Instant): Instant =>
  nextOnGrid(at, DISPUTES_EVERY_MS, MORNING_MS + spreadOf(accountId));

/** Daily, for what is overdue; besides, it is called for whenever lines were read. */
export const nextReconciliation = (accountId: string, at: Instant): Instant =>
  nextOnGrid(at, DAY_MS, OVERDUE_LOOK_MS + spreadOf(accountId));

const widening = (at: Instant, tries: number): Instant =>
  plusMs(at, Math.min(FOLLOW_FIRST_MS * 2 ** Math.min(tries, 20), FOLLOW_WIDEST_MS));

/**
 * When a payout is read next; null when it is over. `tries`: reads since the last news. A status
 * lasts until a cut-off or a morning, which are no bank days for all: then the next morning is tried.
 */
export const nextPayoutRead = ({ status }: Payout, at: Instant, tries: number): Instant | null => {
  switch (status) {
    case 'none':
    case 'paid':
    case 'failed':
      return null;
    case 'pending':
      return tries === 0 ? nextOnGrid(at, DAY_MS, CUT_OFF_MS) : widening(at, tries - 1);
    case 'to_pay':
    case 'sent':
      return nextOnGrid(at, DAY_MS, MORNING_MS);
  }
};

/** Lines are still being put into a payout that was just made: they are read anew until they fit. */
export const nextLinesRead = (at: Instant, tries: number): Instant => widening(at, tries);

/** While the provider does not answer. */
export const afterUnavailable = (at: Instant): Instant => plusMs(at, UNAVAILABLE_MS);

/** The provider refuses: a person must act, and hears of it in the log. */
export const afterRefusal = (at: Instant): Instant => plusMs(at, REFUSED_MS);
