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

/** The number of all rows that match the filters, and the sum of their amounts by currency. */
export const ListTotals = ({ name, query, read }: ListTotalsProps) => {
  const { t, locale } = useI18n();
  const { sort: _sort, direction: _direction, ...filters } = query;
  const { data } = useQuery({
    queryKey: ['totals', name, filters],
    queryFn: ({ signal }) => read(filters, signal),
    refetchInterval: REFRESH_MS.totals,
  });
  // An error of the same filters is shown above the list.
  if (data === undefined) return null;
  if (data.currencies === null) return t.shared.tooManyToTotal;
  const all = data.currencies.reduce((sum, { rows }) => sum + rows, 0);
  const sums = data.currencies.map(({ amountMinor, currency }) =>
    formatAmount(amountMinor, currency, locale),
  );
  return t.shared.totals(formatCount(all, locale), new Intl.ListFormat(locale).format(sums));
};
