import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatCount } from '../shared/format';
import type { PageQuery } from './use-pages';

type Totals = Schemas['TotalsAnswer'];

/** Reads the totals of the rows that match the filters. */
export type ReadTotals = (query: PageQuery, signal: AbortSignal) => Promise<Totals>;

interface ListTotalsProps {
  readonly name: string;
  readonly query: PageQuery;
  readonly read: ReadTotals;
}

/** The sort order is removed, because the totals do not depend on it. */
const filtersOf = ({ sort: _sort, direction: _direction, ...filters }: PageQuery): PageQuery =>
  filters;

const keyOf = (name: string, query: PageQuery) => ['totals', name, filtersOf(query)] as const;

const countOf = (currencies: NonNullable<Totals['currencies']>): number =>
  currencies.reduce((sum, { rows }) => sum + rows, 0);

/** The number of rows that match the filters; null if it has not been read or is too large. */
export const useKnownTotals = (name: string, query: PageQuery): number | null => {
  const { data } = useQuery<Totals>({ queryKey: keyOf(name, query), enabled: false });
  return data === undefined || data.currencies === null ? null : countOf(data.currencies);
};

/** The number of all rows that match the filters, and the sum of their amounts by currency. */
export const ListTotals = ({ name, query, read }: ListTotalsProps) => {
  const { t, locale } = useI18n();
  const { data } = useQuery({
    queryKey: keyOf(name, query),
    queryFn: ({ signal }) => read(filtersOf(query), signal),
    refetchInterval: REFRESH_MS.totals,
  });
  // The list above already shows an error of the same filters.
  if (data === undefined) return null;
  if (data.currencies === null) return t.shared.tooManyToTotal;
  const all = countOf(data.currencies);
  const sums = data.currencies.map(({ amountMinor, currency }) =>
    formatAmount(amountMinor, currency, locale),
  );
  return t.shared.totals(formatCount(all, locale), new Intl.ListFormat(locale).format(sums));
};
