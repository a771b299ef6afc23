import { Group } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-bar';
import { ListPage } from '../list/list-page';
import type { PageQuery } from '../list/use-pages';
import { Amount } from '../shared/amount';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { MoneyBack } from './money-back';
import { ORDER_TONES, type OrderStatus } from './order-status';

type Order = Schemas['OrderItem'];
type Query = NonNullable<paths['/v1/orders']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/orders', { params: { query: query as Query }, signal }));

const columnsOf = (t: Dictionary): readonly Column<Order>[] => [
  {
    id: 'id', header: t.lists.orders.order,
    cell: ({ id }) => <EntityLink type="order" id={id} />,
  },
  {
    id: 'reference', header: t.shared.reference,
    cell: ({ reference }) => <span className="cut" title={reference}>{reference}</span>,
  },
  {
    id: 'status', header: t.shared.status,
    cell: (order) => (
      <Group gap={4} wrap="wrap" display="inline-flex">
        <StatusBadge tone={ORDER_TONES[order.status]} label={t.lists.orderStatus[order.status]} />
        <MoneyBack {...order} />
      </Group>
    ),
  },
  {
    id: 'amount', header: t.shared.amount, isNumber: true,
    cell: (order) => <Amount {...order} />,
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  {
    id: 'merchant', header: t.shared.merchant,
    cell: ({ merchantId }) => <EntityLink id={merchantId} />,
  },
  {
    id: 'payment', header: t.lists.orders.payment,
    cell: ({ paymentId }) => paymentId !== null && (
      <EntityLink type="payment" id={paymentId} />
    ),
  },
  { id: 'placed', header: t.lists.orders.placed, cell: ({ placedAt }) => <Time at={placedAt} /> },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'status', label: t.shared.status, kind: 'choice',
    choices: (Object.keys(ORDER_TONES) as OrderStatus[]).map((value) => ({
      value, label: t.lists.orderStatus[value],
    })),
  },
  { name: 'reference', label: t.shared.reference, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
  { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  { name: 'from', label: t.shared.from, kind: 'day' },
  { name: 'to', label: t.shared.to, kind: 'day' },
];

export const OrdersPage = () => {
  const t = useT();
  return (
    <ListPage
      none={t.lists.orders.none}
      name="orders" title={t.lists.orders.title} lead={t.lists.orders.lead} fields={fieldsOf(t)}
      columns={columnsOf(t)} keyOf={({ id }) => id} read={read} csvPath="/v1/orders.csv"
    />
  );
};
