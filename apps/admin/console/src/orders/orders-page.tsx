import { Group } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { TestBadge } from '../cases/test-badge';
import { EntityLink } from '../entity/entity-link';
import { ORDER_TONES } from '../entity/order-status';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { modeField, usualFields } from '../list/usual-fields';
import { Amount } from '../shared/amount';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { RefundsAndChargebacks } from './refunds-and-chargebacks';

type Order = Schemas['OrderItem'];
type Query = NonNullable<paths['/v1/orders']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/orders', { params: { query: query as Query }, signal }));

const readTotals = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/orders/totals', { params: { query: query as Query }, signal }));

const columnsOf = (t: Dictionary): readonly Column<Order>[] => [
  {
    id: 'id',
    header: t.lists.orders.order,
    cell: ({ id, mode }) => (
      <>
        <EntityLink type="order" id={id} /> <TestBadge mode={mode} />
      </>
    ),
  },
  {
    id: 'reference',
    header: t.shared.reference,
    cell: ({ reference }) => (
      <span className="cut" title={reference}>
        {reference}
      </span>
    ),
  },
  {
    id: 'status',
    header: t.shared.status,
    cell: (order) => (
      <Group gap={4} wrap="wrap" display="inline-flex">
        <StatusBadge tone={ORDER_TONES[order.status]} label={t.lists.orderStatus[order.status]} />
        <RefundsAndChargebacks {...order} />
      </Group>
    ),
  },
  {
    id: 'amount',
    header: t.shared.amount,
    sort: 'amount',
    isNumber: true,
    cell: (order) => <Amount {...order} />,
  },
  {
    id: 'paid',
    header: t.lists.orders.paid,
    isNumber: true,
    cell: ({ paidMinor, currency }) =>
      paidMinor > 0 && <Amount amountMinor={paidMinor} currency={currency} />,
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  {
    id: 'merchant',
    header: t.shared.merchant,
    cell: ({ merchantId }) => <EntityLink id={merchantId} />,
  },
  {
    id: 'payment',
    header: t.lists.orders.payment,
    cell: ({ paymentId }) => paymentId !== null && <EntityLink type="payment" id={paymentId} />,
  },
  {
    id: 'placed',
    header: t.lists.orders.placed,
    sort: 'created',
    cell: ({ placedAt }) => <Time at={placedAt} />,
  },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  { name: 'search', label: t.shared.search, kind: 'text' },
  {
    name: 'status',
    label: t.shared.status,
    kind: 'several',
    choices: choicesOf(t.lists.orderStatus),
  },
  { name: 'reference', label: t.shared.reference, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
  { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  { name: 'accountId', label: t.shared.account, kind: 'text' },
  {
    name: 'method',
    label: t.shared.method,
    kind: 'choice',
    choices: choicesOf(t.shared.methods),
  },
  modeField(t),
  ...usualFields(t),
];

export const OrdersPage = () => {
  const t = useT();
  return (
    <ListPage
      none={t.lists.orders.none}
      name="orders"
      title={t.lists.orders.title}
      lead={t.lists.orders.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      readTotals={readTotals}
      csvPath="/v1/orders.csv"
    />
  );
};
