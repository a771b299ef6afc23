import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import type { paths } from '../api/schema';
import { useI18n } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { type Column, DataTable } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { queryOf } from '../list/query-of';
import { useFilters } from '../list/use-filters';
import { Amount } from '../shared/amount';
import { formatAmount, formatCount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { accountColumns } from './account-columns';
import styles from './ledger.module.css';

type Line = Schemas['TrialBalanceLine'];
type Query = NonNullable<paths['/v1/ledger/trial-balance']['get']['parameters']['query']>;

const columnsOf = (t: Dictionary, locale: string): readonly Column<Line>[] => [
  {
    id: 'currency',
    header: t.shared.currency,
    cell: ({ currency }) => <strong>{currency.toUpperCase()}</strong>,
  },
  {
    id: 'providerAccounts',
    header: t.ledger.providerAccounts,
    isNumber: true,
    cell: ({ providerAccounts }) => formatCount(providerAccounts, locale),
  },
  ...accountColumns<Line>(
    t,
    ({ accounts }, name) => accounts.find(({ account }) => account === name)?.balanceMinor ?? 0,
  ),
  {
    id: 'sum',
    header: t.ledger.sum,
    isNumber: true,
    cell: ({ sumMinor, currency }) => (
      <span className={styles['sum']}>
        <Amount amountMinor={sumMinor} currency={currency} />{' '}
        {sumMinor === 0 && <StatusBadge tone="ok" label={t.ledger.balanced} />}
      </span>
    ),
  },
];

/** The sums of all balances by currency. A currency whose sum is not zero is marked as an error. */
export const TrialBalance = <Name extends string>({
  fields,
}: {
  readonly fields: readonly FilterField<Name>[];
}) => {
  const { t, locale } = useI18n();
  const id = useId();
  const filters = useFilters(fields.map(({ name }) => name));
  const { currency, ...query } = queryOf(fields, filters.values);
  const { data } = useQuery({
    queryKey: ['ledger', 'trial-balance', query],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/ledger/trial-balance', { params: { query: query as Query }, signal })),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS.list,
  });
  const lines = data?.items.filter((line) => currency === undefined || line.currency === currency);
  if (lines === undefined || lines.length === 0) return null;
  const wrong = lines.filter(({ sumMinor }) => sumMinor !== 0);
  return (
    <section aria-labelledby={id} className={styles['trial']}>
      <h2 id={id} className={styles['heading']}>
        {t.ledger.trialBalance} <span className={styles['dimmed']}>· {t.ledger.trialHint}</span>
      </h2>
      {wrong.map((line) => (
        <Alert
          key={line.currency}
          variant="outline"
          color="red"
          c="inherit"
          mb="sm"
          role="alert"
          title={t.ledger.unbalanced}
        >
          {t.ledger.unbalancedHint(
            line.currency.toUpperCase(),
            formatAmount(line.sumMinor, line.currency, locale),
          )}
        </Alert>
      ))}
      <div className="card">
        <DataTable
          label={t.ledger.trialBalance}
          columns={columnsOf(t, locale)}
          rows={lines}
          keyOf={(line) => line.currency}
        />
      </div>
    </section>
  );
};
