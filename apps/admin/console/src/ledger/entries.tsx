import type { ReactNode } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { TestBadge } from '../cases/test-badge';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { amountColumns, whatColumns } from './entry-columns';
import { ledgerFields } from './ledger-fields';

type Entry = Schemas['JournalEntryItem'];
type Query = NonNullable<paths['/v1/ledger-entries']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/ledger-entries', { params: { query: query as Query }, signal }));

const readTotals = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/ledger-entries/totals', { params: { query: query as Query }, signal }));

const columnsOf = (t: Dictionary): readonly Column<Entry>[] => [
  ...whatColumns<Entry>(t),
  ...amountColumns<Entry>(t),
  {
    id: 'merchant',
    header: t.shared.merchant,
    cell: ({ merchantId, mode }) => (
      <>
        {merchantId !== null && <EntityLink id={merchantId} />} <TestBadge mode={mode} />
      </>
    ),
  },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'kind',
    label: t.ledger.entry,
    kind: 'several',
    choices: choicesOf(t.ledger.entries),
  },
  ...ledgerFields(t),
  { name: 'accountId', label: t.shared.account, kind: 'text' },
  { name: 'from', label: t.shared.from, kind: 'day' },
  { name: 'to', label: t.shared.to, kind: 'day' },
];

/** The ledger entries of all provider accounts. */
export const Entries = ({ choice }: { readonly choice: ReactNode }) => {
  const t = useT();
  return (
    <ListPage
      none={t.ledger.none}
      name="ledger-entries"
      title={t.ledger.title}
      lead={t.ledger.leads.entries}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ eventId }) => eventId}
      read={read}
      readTotals={readTotals}
      csvPath="/v1/ledger-entries.csv"
      actions={choice}
    />
  );
};
