import type { Money, MoneyFilters } from './money-query';

/** The values of a list's filters, by their names in the page's URL; null: not filtered. */
type Filters = Readonly<Record<string, string | null>>;

/** Makes the path of the list whose rows add up to a figure, filtered by the figure's currency. */
export type LinkTo = (path: string, filters?: Filters) => string;

export const linksOf = (
  { mode }: Money,
  { platformId, merchantId }: MoneyFilters,
  currency: string,
): LinkTo => {
  const common: Filters = {
    currency,
    platformId: platformId ?? null,
    merchantId: merchantId ?? null,
    mode,
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
