import { type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import type { PriceRow } from '../products/price-resource.js';
import type { Every } from './periods.js';
import type { SubscriptionItem } from './subscription-resource.js';

/** The amounts of a subscription, in minor units. */
export interface Plan {
  readonly currency: Currency;
  /** The one-time amount, collected with the first payment. */
  readonly onceMinor: number;
  /** The amount of each period. */
  readonly eachMinor: number;
  /** Null when the subscription has no recurring prices. */
  readonly every: Every | null;
}

/** The reasons why items cannot be billed together. */
export interface NoPlan {
  readonly problem: string;
}

const sumOf = (items: readonly SubscriptionItem[], prices: readonly PriceRow[]): number => {
  const amounts = new Map(prices.map(({ id, amount }) => [id, amount]));
  return items.reduce((sum, { price, quantity }) => sum + (amounts.get(price) ?? 0) * quantity, 0);
};

/**
 * Computes the amounts for items with these prices. One payment has one currency and one period, so
 * all recurring prices must have the same interval.
 */
export const planOf = (
  items: readonly SubscriptionItem[],
  prices: readonly PriceRow[],
): Plan | NoPlan => {
  const [first, ...others] = prices;
  if (first === undefined) return { problem: 'the items have no price to pay' };
  if (others.some(({ currency }) => currency !== first.currency)) {
    return { problem: 'the prices are of different currencies' };
  }
  const repeated = prices.filter(({ interval }) => interval !== null);
  const intervals = repeated.map((price) => `${price.interval_count} ${price.interval}`);
  if (new Set(intervals).size > 1) return { problem: 'the prices have different intervals' };
  const onceMinor = sumOf(
    items,
    prices.filter(({ interval }) => interval === null),
  );
  const eachMinor = sumOf(items, repeated);
  if (onceMinor + eachMinor > MAX_AMOUNT_MINOR) return { problem: 'the total amount is too large' };
  const { interval = null, interval_count: count = 1 } = repeated[0] ?? {};
  const every = interval === null ? null : { interval, count: count ?? 1 };
  return { currency: first.currency, onceMinor, eachMinor, every };
};
