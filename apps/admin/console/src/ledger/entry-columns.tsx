import type { Schemas } from '../api/client';
import { EntityLink } from '../entity/entity-link';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { Amount } from '../shared/amount';
import { Time } from '../shared/time';

/** A ledger entry: the fields that entries and lines of statements share. */
export type Entry = Schemas['StatementLineItem'];

const entryName = (t: Dictionary, kind: Entry['kind']): string => t.ledger.entries[kind];

/** The object of a ledger entry, as a link: the payout, or the payment or order. */
const Subject = ({ kind, objectId }: Pick<Entry, 'kind' | 'objectId'>) => (
  <EntityLink id={objectId} {...(kind.startsWith('payout') && { type: 'payout' })} />
);

const amountColumn = <Row extends Entry>(
  id: 'amountMinor' | 'feesMinor' | 'vatMinor' | 'netMinor',
  header: string,
): Column<Row> => ({
  id,
  header,
  isNumber: true,
  cell: ({ [id]: amountMinor, currency }) =>
    amountMinor !== 0 && <Amount amountMinor={amountMinor} currency={currency} />,
});

/** The columns with the time, the kind and the object of a ledger entry. */
export const whatColumns = <Row extends Entry>(t: Dictionary): readonly Column<Row>[] => [
  { id: 'at', header: t.ledger.booked, cell: ({ at }) => <Time at={at} /> },
  { id: 'kind', header: t.ledger.entry, cell: ({ kind }) => entryName(t, kind) },
  { id: 'object', header: t.ledger.object, cell: (entry) => <Subject {...entry} /> },
  {
    id: 'order',
    header: t.lists.orders.order,
    cell: ({ orderId, reference }) =>
      orderId !== null && (
        <>
          <EntityLink id={orderId} type="order" /> {reference}
        </>
      ),
  },
];

/** The columns with the amount, the deducted fees and VAT, and the net amount. */
export const amountColumns = <Row extends Entry>(t: Dictionary): readonly Column<Row>[] => [
  amountColumn('amountMinor', t.shared.amount),
  amountColumn('feesMinor', t.ledger.fees),
  amountColumn('vatMinor', t.ledger.vat),
  amountColumn('netMinor', t.ledger.net),
];
