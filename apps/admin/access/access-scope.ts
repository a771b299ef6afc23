import { Rejection } from '#kernel';

/** A platform whose rows a user may see, or one of its merchants; null: all its merchants. */
export interface ScopeEntry {
  readonly platformId: string;
  readonly merchantId: string | null;
}

/**
 * The maximum amount that a user may request or approve by one action, in minor units of a
 * currency.
 */
export interface AmountLimit {
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly mostMinor: number;
}

/** The platforms and merchants that a user may see, and the amount limits of the user's actions. */
export interface AccessScope {
  /** If empty, the user sees all platforms and merchants. */
  readonly scope: readonly ScopeEntry[];
  /**
   * If empty, the user may act on any amount. Otherwise the user may not act on amounts in a
   * currency that has no limit.
   */
  readonly limits: readonly AmountLimit[];
}

export const UNLIMITED: AccessScope = { scope: [], limits: [] };

/** Whether the user sees only some platforms or merchants, or may act only up to an amount. */
export const isLimited = ({ scope, limits }: AccessScope): boolean =>
  scope.length > 0 || limits.length > 0;

/** Whether the user sees only some platforms or merchants. */
export const isNarrowed = ({ scope }: Pick<AccessScope, 'scope'>): boolean => scope.length > 0;

/**
 * The visible platforms and merchants as strings, `<platform>` and `<platform> <merchant>`, to
 * compare with the keys of database rows. No platform's id contains a space.
 */
export const keysOf = (scope: AccessScope['scope']): readonly string[] =>
  scope.map(({ platformId, merchantId }) =>
    merchantId === null ? platformId : `${platformId} ${merchantId}`,
  );

/** Whether two scopes have the same entries in the same order. */
export const seesSame = (a: Pick<AccessScope, 'scope'>, b: Pick<AccessScope, 'scope'>): boolean =>
  keysOf(a.scope).join() === keysOf(b.scope).join();

const isScopeWithin = (next: AccessScope['scope'], now: AccessScope['scope']): boolean => {
  if (now.length === 0) return true;
  const keys = new Set(keysOf(now));
  return (
    next.length > 0 &&
    next.every((entry) => keys.has(entry.platformId) || keys.has(keysOf([entry])[0] ?? ''))
  );
};

const limitOf = (limits: AccessScope['limits'], of: string): number | undefined =>
  limits.find(({ currency }) => currency === of)?.mostMinor;

const areLimitsWithin = (next: AccessScope['limits'], now: AccessScope['limits']): boolean =>
  now.length === 0 ||
  (next.length > 0 &&
    next.every(({ currency, mostMinor }) => mostMinor <= (limitOf(now, currency) ?? -1)));

/** Whether every right of the scope `next` is also a right of the scope `now`. */
export const isWithin = (next: AccessScope, now: AccessScope): boolean =>
  isScopeWithin(next.scope, now.scope) && areLimitsWithin(next.limits, now.limits);

/** The amount of an action, in minor units. */
interface Amount {
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * Whose limit is checked: the acting user's, or that of the requester whose action is to be
 * approved.
 */
export type LimitHolder = 'you' | 'the requester';

/**
 * Checks the amounts of an action against the user's limits; an empty list means that the action
 * has no amount. `beforeMinor` is the sum of the user's earlier actions that count towards the same
 * limit. Throws `Rejection('amount_above_limit')`.
 */
export const checkAmounts = (
  { limits }: Pick<AccessScope, 'limits'>,
  amounts: readonly Amount[],
  who: LimitHolder,
  beforeMinor: number,
): void => {
  if (limits.length === 0) return;
  for (const { amountMinor, currency } of amounts) {
    const most = limitOf(limits, currency);
    if (most !== undefined && amountMinor + beforeMinor <= most) continue;
    const may = most === undefined ? `no amount in ${currency}` : `at most ${most} ${currency}`;
    const before =
      beforeMinor === 0 ? '' : ` after ${beforeMinor} ${currency} of the same payment before`;
    throw new Rejection(
      'amount_above_limit',
      `${who} may decide about ${may} (minor units) by one action, not ${amountMinor} ${currency}` +
        `${before}: a user with a higher limit must do it`,
    );
  }
};
