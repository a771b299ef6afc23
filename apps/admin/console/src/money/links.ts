import type { Money, MoneyFilters } from './money-query';

/** The values of a list's filters, by their names in the page's URL; null: not filtered. */
type Filters = Readonly<Record<string, string | null>>;

/** Makes the path of a list that shows the rows of a figure, in the currency of the figure. */
export type LinkTo = (path: string, filters?: Filters) => string;

export const linksOf = (
  { mode, modes }: Money,
  { platformId, merchantId }: MoneyFilters,
  currency: string,
): LinkTo => {
  // The lists of all modes need no filter if there is only one.
  const common: Filters = {
    currency,
    platformId: platformId ?? null,
    merchantId: merchantId ?? null,
    mode: modes.length > 1 ? mode : null,
  };
  return (path, filters = {}) => {
    const given = Object.entries({ ...common, ...filters }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    );
    const [page, view] = path.split('?');
    return `${page}?${new URLSearchParams([
      ...new URLSearchParams(view),
      ...(given as [string, string][]),
    ]).toString()}`;
  };
};

export const ENTRIES = '/ledger?view=entries';
