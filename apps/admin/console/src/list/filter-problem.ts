import { minorOf } from '../shared/format';
import type { FilterField } from './filter-field';
import type { FilterValues } from './use-filters';

/**
 * Why a filter cannot be applied. `currency`: amounts are only comparable within one currency, and
 * none is chosen. `amount`: the text is not an amount.
 */
export type FilterProblem = 'currency' | 'amount';

/** Why the filter or sort order of this field cannot be applied; null: it can, or is not set. */
export const problemOf = <Name extends string>(
  { name, kind }: FilterField<Name>,
  values: FilterValues<Name>,
): FilterProblem | null => {
  const value = values[name];
  const isSortedByAmount = name === 'sort' && value?.startsWith('amount.') === true;
  if (value === undefined || !(kind === 'amount' || isSortedByAmount)) return null;
  const { currency } = values as FilterValues<string>;
  if (currency === undefined) return 'currency';
  return kind === 'amount' && minorOf(value, currency) === null ? 'amount' : null;
};
