import { Skeleton, Stack, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { FilterBar } from '../list/filter-bar';
import type { FilterField } from '../list/filter-field';
import { choicesOf } from '../list/status-choices';
import { useFilters } from '../list/use-filters';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { CurrencySection } from './currency-section';
import { linksOf } from './links';
import { type Money, type MoneyFilters, useMoney } from './money-query';

type Filter = keyof MoneyFilters;

const fieldsOf = (t: Dictionary, money: Money | undefined): readonly FilterField<Filter>[] => {
  const { '7': usual, ...others } = t.money.periods;
  const modes: readonly FilterField<Filter>[] =
    money !== undefined && money.modes.length > 1
      ? [
          {
            name: 'mode',
            isMain: true,
            label: t.money.mode,
            kind: 'choice',
            choices: [{ value: 'test', label: t.money.modes.test }],
            usually: t.money.modes.live,
          },
        ]
      : [];
  return [
    {
      name: 'days',
      label: t.money.period,
      kind: 'choice',
      choices: choicesOf(others),
      usually: usual,
    },
    ...modes,
    { name: 'platformId', label: t.shared.platform, kind: 'text' },
    { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  ];
};

/** The names of all filters, even of the mode filter, which is hidden if there is only one mode. */
const NAMES: readonly Filter[] = ['days', 'mode', 'platformId', 'merchantId'];

/**
 * The money of a period and the money not yet paid out, by currency. Each figure links to its rows.
 */
export const MoneyPage = () => {
  const { t } = useI18n();
  const filters = useFilters(NAMES);
  const { data, error, refetch } = useMoney(filters.values);
  return (
    <>
      <PageHeader title={t.money.title} lead={t.money.lead} />
      <FilterBar fields={fieldsOf(t, data)} {...filters} />
      {error !== null && <ProblemAlert error={error} retry={refetch} />}
      {data === undefined && error === null && <Skeleton height={480} />}
      {data?.currencies.length === 0 && (
        <Text className="card" c="dimmed" ta="center" py={48}>
          {t.money.none}
        </Text>
      )}
      <Stack gap="xl">
        {data?.currencies.map((money) => (
          <CurrencySection
            key={money.currency}
            money={money}
            of={data}
            linkTo={linksOf(data, filters.values, money.currency)}
          />
        ))}
      </Stack>
    </>
  );
};
