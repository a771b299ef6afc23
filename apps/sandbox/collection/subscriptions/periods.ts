import { DAY_MS, type Instant, instantFromMs, msOf, plusMs } from '#kernel';
import type { Interval } from '../products/price-resource.js';

/** A billing interval, such as every 3 months. */
export interface Every {
  readonly interval: Interval;
  readonly count: number;
}

export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * Returns the same time and day `count` months later, or the last day of a month that lacks this
 * day.
 */
const plusMonths = (at: Instant, months: number): Instant => {
  const date = new Date(msOf(at));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return instantFromMs(date.getTime());
};

const monthsBetween = (from: Instant, to: Instant): number => {
  const [a, b] = [new Date(msOf(from)), new Date(msOf(to))];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
};

const boundaryOf = (anchor: Instant, { interval, count }: Every, index: number): Instant => {
  switch (interval) {
    case 'day':
      return plusMs(anchor, index * count * DAY_MS);
    case 'week':
      return plusMs(anchor, index * count * 7 * DAY_MS);
    case 'month':
      return plusMonths(anchor, index * count);
    case 'year':
      return plusMonths(anchor, index * count * 12);
  }
};

/** An estimate of the index of the period that contains `at`: exact, or too high by one. */
const indexNear = (anchor: Instant, { interval, count }: Every, at: Instant): number => {
  const days = (msOf(at) - msOf(anchor)) / DAY_MS;
  switch (interval) {
    case 'day':
      return Math.floor(days / count);
    case 'week':
      return Math.floor(days / (7 * count));
    case 'month':
      return Math.floor(monthsBetween(anchor, at) / count);
    case 'year':
      return Math.floor(monthsBetween(anchor, at) / (12 * count));
  }
};

/**
 * The period that contains `at`, which is not before `anchor`. Periods are counted from the anchor:
 * monthly periods from 31 January start on 28 February and then on 31 March.
 */
export const periodAt = (anchor: Instant, every: Every, at: Instant): Period => {
  const near = indexNear(anchor, every, at);
  const index = boundaryOf(anchor, every, near) > at ? near - 1 : near;
  return { start: boundaryOf(anchor, every, index), end: boundaryOf(anchor, every, index + 1) };
};
