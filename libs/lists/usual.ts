import { CURRENCIES } from '#kernel';
import type { Filter, Sort } from './list.js';

/** What most lists of things with an amount may be narrowed to. */
export const AMOUNT_FILTERS = {
  currency: { is: 'one', of: CURRENCIES, where: 'currency = ?' },
  amountFrom: { is: 'amount', where: 'amount_minor >= ?', means: 'In minor units of `currency`.' },
  amountTo: {
    is: 'amount',
    where: 'amount_minor <= ?',
    means: 'In minor units of `currency`, itself included.',
  },
} as const satisfies Readonly<Record<string, Filter>>;

/** `how`: what happened at that time, e.g. `Placed`. */
export const timeFilters = (created: string, how: string) =>
  ({
    from: { is: 'instant', where: `${created} >= ?`, means: `${how} then or later.` },
    to: { is: 'instant', where: `${created} < ?`, means: `${how} before.` },
    updatedFrom: {
      is: 'instant',
      where: 'updated_at >= ?',
      means:
        'Last changed then or later. To follow all changes use the events: a change may be listed ' +
        'after later ones.',
    },
    updatedTo: { is: 'instant', where: 'updated_at < ?', means: 'Last changed before.' },
  }) as const satisfies Readonly<Record<string, Filter>>;

/** When it was made, when it was last changed, and how much it is. */
export const usualSorts = (created: string, of: 'instant' | 'day' = 'instant') =>
  ({
    created: { by: created, of },
    updated: { by: 'updated_at', of: 'instant' },
    amount: { by: 'amount_minor', of: 'amount' },
  }) as const satisfies Readonly<Record<string, Sort>>;
