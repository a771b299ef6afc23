import { api, bodyOf } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { Amount } from '../shared/amount';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import { CloseException } from './close-exception';
import { Evidence } from './evidence';
import type { Exception } from './exception';

type Query = NonNullable<paths['/v1/exceptions']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/exceptions', { params: { query: query as Query }, signal }));

const columnsOf = (t: Dictionary): readonly Column<Exception>[] => [
  {
    id: 'kind',
    header: t.reconciliation.kind,
    cell: ({ kind, closedAt }) => (
      <StatusBadge
        tone={closedAt === null ? 'bad' : 'calm'}
        label={t.reconciliation.kinds[kind] ?? kind}
      />
    ),
  },
  {
    id: 'evidence',
    header: t.reconciliation.evidence,
    cell: (exception) => <Evidence exception={exception} />,
  },
  {
    id: 'amount',
    header: t.shared.amount,
    isNumber: true,
    cell: (exception) => <Amount {...exception} />,
  },
  {
    id: 'payment',
    header: t.lists.orders.payment,
    cell: ({ paymentId }) => paymentId !== null && <EntityLink type="payment" id={paymentId} />,
  },
  {
    id: 'payout',
    header: t.lists.payouts.payout,
    cell: ({ payoutId }) => payoutId !== null && <EntityLink type="payout" id={payoutId} />,
  },
  {
    id: 'merchant',
    header: t.shared.merchant,
    cell: ({ merchantId }) => <EntityLink id={merchantId} />,
  },
  { id: 'age', header: t.reconciliation.age, cell: ({ since }) => <Age at={since} /> },
  {
    id: 'acts',
    header: t.actions.column,
    cell: (exception) => <CloseException {...exception} />,
  },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'state',
    label: t.shared.status,
    kind: 'choice',
    choices: choicesOf(t.reconciliation.states),
  },
  {
    name: 'kind',
    label: t.reconciliation.kind,
    kind: 'choice',
    choices: choicesOf(t.reconciliation.kinds),
  },
  { name: 'id', label: t.reconciliation.exception, kind: 'text' },
  { name: 'payoutId', label: t.lists.payouts.payout, kind: 'text' },
  { name: 'paymentId', label: t.lists.orders.payment, kind: 'text' },
  { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
  { name: 'currency', label: t.shared.currency, kind: 'text' },
  { name: 'mode', label: t.money.mode, kind: 'choice', choices: choicesOf(t.money.modes) },
  { name: 'sinceFrom', label: t.reconciliation.sinceFrom, kind: 'date' },
  { name: 'sinceTo', label: t.reconciliation.sinceTo, kind: 'date' },
];

/** Breaks between the ledger and the provider's lines, with their evidence. */
export const ReconciliationPage = () => {
  const t = useT();
  return (
    <ListPage
      none={t.reconciliation.none}
      name="exceptions"
      title={t.reconciliation.title}
      lead={t.reconciliation.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      csvPath={null}
    />
  );
};
