import type { Column } from './data-table';

/** The sort orders that a click on a column’s header selects. */
export type SortName = 'created' | 'updated' | 'amount';

type Direction = 'asc' | 'desc';

const NEWEST_FIRST = 'created.desc';

/** How a list is sorted, and how a click on a header sorts it. */
export interface Sorting {
  /** The direction in which the list is sorted by this column; null if it is not. */
  readonly directionOf: (column: Pick<Column<never>, 'sort'>) => Direction | null;
  readonly isPossible: (sort: SortName) => boolean;
  /** Sorts by the column in descending order; a second click sorts in ascending order. */
  readonly sortBy: (sort: SortName) => void;
}

/**
 * @param value the sort parameter of the page's URL, e.g. `amount.asc`; undefined: newest first
 * @param currency the currency to which the list is limited: amounts of different currencies
 * cannot be compared
 */
export const sortingOf = (
  value: string | undefined,
  currency: string | undefined,
  set: (value: string) => void,
): Sorting => {
  const [by, direction] = (value ?? NEWEST_FIRST).split('.');
  const directionOf: Sorting['directionOf'] = ({ sort }) => {
    if (sort !== by) return null;
    return direction === 'asc' ? 'asc' : 'desc';
  };
  return {
    directionOf,
    isPossible: (sort) => sort !== 'amount' || currency !== undefined,
    sortBy: (sort) => {
      const next = `${sort}.${directionOf({ sort }) === 'desc' ? 'asc' : 'desc'}`;
      set(next === NEWEST_FIRST ? '' : next);
    },
  };
};
