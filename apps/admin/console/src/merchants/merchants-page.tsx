import { SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { merchantTone } from '../entity/merchant-status';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import type { PageQuery } from '../list/use-pages';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { Board } from './board';

export type Merchant = Schemas['MerchantItem'];
type Query = NonNullable<paths['/v1/merchants']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/merchants', { params: { query: query as Query }, signal }));

const columnsOf = (t: Dictionary): readonly Column<Merchant>[] => [
  {
    id: 'reference',
    header: t.shared.merchant,
    cell: ({ id, reference }) => (
      <Link href={`/merchants/${id}`} className="link cut" title={reference}>
        {reference}
      </Link>
    ),
  },
  {
    id: 'status',
    header: t.shared.status,
    cell: ({ status }) => (
      <StatusBadge tone={merchantTone(status)} label={t.merchants.statuses[status] ?? status} />
    ),
  },
  {
    id: 'orders',
    header: t.merchants.orders,
    cell: ({ ordersEnabled }) => (ordersEnabled ? t.shared.yes : t.shared.no),
  },
  { id: 'mode', header: t.merchants.mode, cell: ({ mode }) => mode },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  {
    id: 'id',
    header: t.shared.id,
    cell: ({ id }) => <EntityLink type="merchant" id={id} />,
  },
  {
    id: 'company',
    header: t.merchants.company,
    cell: ({ companyId }) => <span className="mono">{companyId}</span>,
  },
  { id: 'drafted', header: t.merchants.drafted, cell: ({ draftedAt }) => <Time at={draftedAt} /> },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  { name: 'search', label: t.shared.search, kind: 'text' },
  {
    name: 'status',
    label: t.shared.status,
    kind: 'choice',
    choices: Object.entries(t.merchants.statuses).map(([value, label]) => ({ value, label })),
  },
  { name: 'reference', label: t.shared.reference, kind: 'text' },
  { name: 'companyId', label: t.merchants.company, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
];

/** A board or a list, selected in the page's URL. */
export const MerchantsPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const isList = params.get('view') === 'list';
  const choice = (
    <SegmentedControl
      aria-label={t.merchants.view}
      value={isList ? 'list' : 'board'}
      data={[
        { value: 'board', label: t.merchants.board },
        { value: 'list', label: t.merchants.list },
      ]}
      onChange={(view) => setParams(view === 'list' ? { view } : {})}
    />
  );
  if (!isList) return <Board choice={choice} />;
  return (
    <ListPage
      none={t.merchants.none}
      name="merchants"
      title={t.merchants.title}
      lead={t.merchants.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      csvPath="/v1/merchants.csv"
      actions={choice}
    />
  );
};
