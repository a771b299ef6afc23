import type { RecordedEvent } from '#event-store';
import { assert } from '#kernel';
import type { PaymentEvent } from '#payment';
import type { PayoutEvent } from '#payout';
import type { JournalEntry, ProjectedRow, Projection } from '../projections/projection.js';
import { type Book, bookAfter, type EntryKind, entryOf } from './postings.js';

/** A row of `ledger_streams`: what the next event of the stream is booked with. */
export interface LedgerStreamRow extends ProjectedRow {
  readonly stream_id: string;
  readonly account_id: string;
  readonly platform_id: string;
  readonly currency: string;
  readonly book: Book;
}

/** A row of `ledger_journal`; money in minor units, `at` is business time. */
export interface JournalRow extends JournalEntry {
  readonly kind: EntryKind;
  readonly object_id: string;
  readonly stream_id: string;
  readonly account_id: string;
  readonly platform_id: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly payer_minor: number;
  readonly provider_minor: number;
  readonly merchant_minor: number;
  readonly fees_minor: number;
  readonly vat_minor: number;
  readonly disputes_minor: number;
  readonly at: string;
}

const domainEvent = ({ type, data }: RecordedEvent): PaymentEvent | PayoutEvent =>
  // The log gives events back as they were written, lifted to today's schema.
  ({ ...data, type }) as PaymentEvent | PayoutEvent;

const apply = (row: LedgerStreamRow | null, recorded: RecordedEvent): LedgerStreamRow | null => {
  const { streamId, version } = recorded;
  const event = domainEvent(recorded);
  const book = bookAfter(row?.book ?? null, event);
  if (book === null) return null;
  if (event.type === 'IntentRequested' || event.type === 'PayoutAnnounced') {
    const { accountId, platformId, currency } = event;
    return {
      stream_id: streamId, account_id: accountId, platform_id: platformId, currency, book, version,
    };
  }
  assert(row !== null, 'a stream begins before it is booked on');
  return { ...row, book, version };
};

const journalRow = (
  before: LedgerStreamRow | null, after: LedgerStreamRow, recorded: RecordedEvent,
): JournalRow | null => {
  const event = domainEvent(recorded);
  const entry = entryOf(recorded.streamId, before?.book ?? after.book, event);
  if (entry === null) return null;
  const { kind, objectId, amountMinor, postings } = entry;
  const { stream_id, account_id, platform_id, currency } = after;
  return {
    event_id: recorded.eventId, kind, object_id: objectId, stream_id, account_id, platform_id,
    currency, amount_minor: amountMinor,
    payer_minor: postings.payer, provider_minor: postings.provider,
    merchant_minor: postings.merchant, fees_minor: postings.fees, vat_minor: postings.vat,
    disputes_minor: postings.disputes,
    at: event.at,
  };
};

const SUMS = [
  'payer_minor', 'provider_minor', 'merchant_minor', 'fees_minor', 'vat_minor', 'disputes_minor',
];

/**
 * The double-entry ledger: each event that moves money is one row of the journal, so every balance
 * is explained by its rows. The tables' checks and the mapping's assertion say that a row sums to
 * zero.
 */
export const ledger: Projection<LedgerStreamRow> = {
  name: 'ledger_streams',
  streamTypes: ['payment', 'payout'],
  keyColumn: 'stream_id',
  columns: ['stream_id', 'account_id', 'platform_id', 'currency', 'book', 'version'],
  apply,
  journal: {
    table: 'ledger_journal',
    columns: [
      'event_id', 'kind', 'object_id', 'stream_id', 'account_id', 'platform_id', 'currency',
      'amount_minor', ...SUMS, 'at',
    ],
    balances: {
      table: 'ledger_balances', keyColumns: ['platform_id', 'account_id', 'currency'],
      sumColumns: SUMS,
    },
    entryOf: journalRow,
  },
};
