import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import type { paths } from '../api/schema';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { FilterField } from '../list/filter-field';
import { queryOf } from '../list/query-of';
import { useFilters } from '../list/use-filters';
import { minus, MoneySteps, type MoneyStep } from '../shared/money-steps';
import { StatusBadge } from '../shared/status-badge';
import styles from './ledger.module.css';

type Balance = Schemas['StatementBalance'];
type Query = paths['/v1/statements']['get']['parameters']['query'];

const stepsOf = (t: Dictionary, balance: Balance): readonly MoneyStep[] => {
  const { steps } = t.ledger;
  const sum = (
    name: 'payments' | 'refunds' | 'disputes' | 'disputeReversals' | 'payouts' | 'failedPayouts',
    sign: (minor: number) => number,
  ): MoneyStep => ({
    name,
    label: steps[name],
    amountMinor: sign(balance[name].amountMinor),
    ...(balance[name].count > 0 && { note: `× ${balance[name].count}` }),
  });
  const plus = (minor: number): number => minor;
  const { openingMinor, closingMinor, feesMinor, vatMinor, correctionsMinor } = balance;
  return [
    { name: 'opening', label: steps.opening, amountMinor: openingMinor },
    sum('payments', plus),
    sum('refunds', minus),
    sum('disputes', minus),
    // Rare changes of the balance are shown only if they occurred.
    ...(balance.disputeReversals.count > 0 ? [sum('disputeReversals', plus)] : []),
    ...(correctionsMinor === 0
      ? []
      : [{ name: 'corrections', label: steps.corrections, amountMinor: correctionsMinor }]),
    { name: 'fees', label: steps.fees, amountMinor: minus(feesMinor) },
    { name: 'vat', label: steps.vat, amountMinor: minus(vatMinor) },
    sum('payouts', minus),
    ...(balance.failedPayouts.count > 0 ? [sum('failedPayouts', plus)] : []),
    { name: 'closing', label: steps.closing, amountMinor: closingMinor, isResult: true },
  ];
};

/** How the merchant's balance changed in the month, in each currency. */
export const StatementBalances = <Name extends string>({
  fields,
}: {
  readonly fields: readonly FilterField<Name>[];
}) => {
  const t = useT();
  const filters = useFilters(fields.map(({ name }) => name));
  const { currency, ...query } = queryOf(fields, filters.values);
  const { data } = useQuery({
    queryKey: ['ledger', 'statement', query],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/statements', { params: { query: query as unknown as Query }, signal })),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS.list,
    // An unknown merchant is not read again; the list of the statement's lines shows the error.
    retry: false,
  });
  if (data === undefined) return null;
  const shown = data.balances.filter((one) => currency === undefined || one.currency === currency);
  return (
    <Stack gap="sm" mb="md">
      <div>
        <StatusBadge
          tone={data.isFinal ? 'ok' : 'wait'}
          label={data.isFinal ? t.ledger.final : t.ledger.notFinal}
        />{' '}
        <span className={styles['dimmed']}>{t.money.modes[data.mode]}</span>
      </div>
      {shown.map((balance) => (
        <MoneySteps
          key={balance.currency}
          label={`${t.ledger.views.statement} ${balance.currency.toUpperCase()}`}
          steps={stepsOf(t, balance)}
          currency={balance.currency}
        />
      ))}
    </Stack>
  );
};
