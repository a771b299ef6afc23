import { CURRENCIES } from '#kernel';
import type { Filter, Sort } from './list.js';

/** The common filters of lists with amounts. */
export const AMOUNT_FILTERS = {
  currency: { is: 'one', of: CURRENCIES, where: 'currency = ?' },
  amountFrom: { is: 'amount', where: 'amount_minor >= ?', means: 'In minor units of `currency`.' },
  amountTo: { is: 'amount', where: 'amount_minor <= ?', means: 'In minor units, inclusive.' },
} as const satisfies Readonly<Record<string, Filter>>;

/** The filters by creation time; `how` is the label of that time, e.g. `Placed`. */
export const timeFilters = (created: string, how: string) =>
  ({
    from: { is: 'instant', where: `${created} >= ?`, means: `${how} at this instant or later.` },
    to: { is: 'instant', where: `${created} < ?`, means: `${how} before this instant.` },
    updatedFrom: {
      is: 'instant',
      where: 'updated_at >= ?',
      means:
        'Last changed at this instant or later. Do not use this filter to follow all changes, because a change may appear in the list after more recent changes. Read the events instead.',
    },
    updatedTo: { is: 'instant', where: 'updated_at < ?', means: 'Changed before this instant.' },
  }) as const satisfies Readonly<Record<string, Filter>>;

/** The usual sort orders: by creation, by last change and by amount. */
export const usualSorts = (created: string, of: 'instant' | 'day' = 'instant') =>
  ({
    created: { by: created, of },
    updated: { by: 'updated_at', of: 'instant', changes: true },
    amount: { by: 'amount_minor', of: 'amount' },
  }) as const satisfies Readonly<Record<string, Sort>>;
