import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../api/client';
import type { paths } from '../api/schema';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { FilterField } from '../list/filter-field';
import { FilterBar } from '../list/filter-bar';
import { ListPage } from '../list/list-page';
import { useFilters } from '../list/use-filters';
import type { PageQuery } from '../list/use-pages';
import { PageHeader } from '../shared/page-header';
import { useBusinessNow } from '../shared/time';
import { amountColumns, type Entry, whatColumns } from './entry-columns';
import { ledgerFields } from './ledger-fields';
import { StatementBalances } from './statement-balances';

type Query = NonNullable<paths['/v1/statements/lines']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit' | 'kind'>;

const fieldsOf = (t: Dictionary, month: string): readonly FilterField<Filter>[] => [
  { name: 'month', label: t.ledger.month, kind: 'month', usually: month, isMain: true },
  ...ledgerFields(t).map((field) => {
    if (field.name === 'mode' && field.kind === 'choice') {
      // The API shows the live account of the merchant, if it has one.
      const { unset: _unset, ...mode } = field;
      return { ...mode, usually: t.ledger.liveFirst };
    }
    return field.name === 'merchantId' ? { ...field, isMain: true as const } : field;
  }),
];

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/statements/lines', { params: { query: query as unknown as Query }, signal }));

/** The statement of a merchant for a month, with its lines. */
export const Statement = ({ choice }: { readonly choice: ReactNode }) => {
  const t = useT();
  const fields = fieldsOf(t, new Date(useBusinessNow()).toISOString().slice(0, 7));
  const filters = useFilters(fields.map(({ name }) => name));
  if (filters.values.merchantId === undefined) {
    return (
      <>
        <PageHeader title={t.ledger.title} lead={t.ledger.leads.statement}>
          {choice}
        </PageHeader>
        <FilterBar fields={fields} {...filters} />
        <Text className="card" c="dimmed" ta="center" py={48}>
          {t.ledger.chooseMerchant}
        </Text>
      </>
    );
  }
  return (
    <ListPage
      none={t.ledger.noLines}
      name="statement-lines"
      title={t.ledger.title}
      lead={t.ledger.leads.statement}
      fields={fields}
      columns={[...whatColumns<Entry>(t), ...amountColumns<Entry>(t)]}
      keyOf={({ eventId }) => eventId}
      read={read}
      csvPath="/v1/statements/lines.csv"
      actions={choice}
      above={<StatementBalances fields={fields} />}
    />
  );
};
