import { Group } from '@mantine/core';
import { Link } from 'wouter';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { TestBadge } from '../cases/test-badge';
import { EntityLink } from '../entity/entity-link';
import { PAYOUT_TONES } from '../entity/payout-status';
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
import { Day } from '../shared/time';

type Payout = Schemas['PayoutItem'];
type Query = NonNullable<paths['/v1/payouts']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/payouts', { params: { query: query as Query }, signal }));

const readTotals = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/payouts/totals', { params: { query: query as Query }, signal }));

/**
 * The result of a payout's reconciliation: lines not read yet, no open break, or the number of open
 * breaks.
 */
const Reconciled = ({ payout, t }: { readonly payout: Payout; readonly t: Dictionary }) => {
  const { id, linesRead, matched, openBreaks } = payout;
  if (!linesRead || matched === null) {
    return <StatusBadge tone="wait" label={t.lists.payouts.linesNotRead} />;
  }
  if (openBreaks === 0) return <StatusBadge tone="ok" label={t.lists.payouts.matched(matched)} />;
  return (
    <Group gap={4} display="inline-flex">
      <StatusBadge tone="bad" label={t.lists.payouts.exceptions(openBreaks)} />
      <Link className="link" href={`/reconciliation?payoutId=${id}`}>
        {t.lists.payouts.see}
      </Link>
    </Group>
  );
};

const columnsOf = (t: Dictionary): readonly Column<Payout>[] => [
  {
    id: 'id',
    header: t.lists.payouts.payout,
    cell: ({ id, mode }) => (
      <>
        <EntityLink type="payout" id={id} /> <TestBadge mode={mode} />
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
    cell: ({ status }) => (
      <StatusBadge tone={PAYOUT_TONES[status]} label={t.lists.payoutStatus[status]} />
    ),
  },
  {
    id: 'reconciled',
    header: t.lists.payouts.reconciled,
    cell: (payout) => <Reconciled payout={payout} t={t} />,
  },
  {
    id: 'amount',
    header: t.shared.amount,
    sort: 'amount',
    isNumber: true,
    cell: (payout) => <Amount {...payout} />,
  },
  {
    id: 'fees',
    header: t.lists.payouts.fees,
    isNumber: true,
    cell: ({ feesMinor, feesVatMinor, currency }) => (
      <Amount amountMinor={feesMinor + feesVatMinor} currency={currency} />
    ),
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  {
    id: 'merchant',
    header: t.shared.merchant,
    cell: ({ merchantId }) => <EntityLink id={merchantId} />,
  },
  {
    id: 'date',
    header: t.lists.payouts.date,
    sort: 'created',
    cell: ({ date }) => <Day day={date} />,
  },
  {
    id: 'bank',
    header: t.lists.payouts.atBank,
    cell: ({ bankDate }) => bankDate !== null && <Day day={bankDate} />,
  },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  { name: 'search', label: t.shared.search, kind: 'text' },
  {
    name: 'status',
    label: t.shared.status,
    kind: 'several',
    choices: choicesOf(t.lists.payoutStatus),
  },
  {
    name: 'reconciliation',
    label: t.lists.payouts.reconciliation,
    kind: 'choice',
    choices: choicesOf(t.lists.payouts.reconciliations),
  },
  { name: 'reference', label: t.shared.reference, kind: 'text' },
  { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  { name: 'accountId', label: t.shared.account, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
  modeField(t),
  ...usualFields(t, 'date'),
];

export const PayoutsPage = () => {
  const t = useT();
  return (
    <ListPage
      none={t.lists.payouts.none}
      name="payouts"
      title={t.lists.payouts.title}
      lead={t.lists.payouts.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      readTotals={readTotals}
      csvPath="/v1/payouts.csv"
    />
  );
};
