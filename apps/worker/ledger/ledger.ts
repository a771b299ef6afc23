import { domainEvent, type RecordedEvent } from '#log';
import { assert } from '#kernel';
import type { PaymentEvent } from '#payment';
import type { LedgerEntryKind, PayoutEvent } from '#payout';
import { column, type Projection, type RowOf, type ValuesOf } from '#projections';
import { type Book, bookEvent } from './postings.js';

const COLUMNS = {
  stream_id: column<string>(),
  account_id: column<string>(),
  platform_id: column<string>(),
  currency: column<string>(),
  book: column<Book>(),
};

/** A row of `ledger_streams`: the state that is needed to book the next event of the stream. */
export type LedgerStreamRow = RowOf<typeof COLUMNS>;

const ENTRY = {
  event_id: column<string>(),
  kind: column<LedgerEntryKind>(),
  object_id: column<string>(),
  capture_id: column<string | null>(),
  stream_id: column<string>(),
  account_id: column<string>(),
  platform_id: column<string>(),
  currency: column<string>(),
  amount_minor: column<number>(),
  payer_minor: column<number>(),
  provider_minor: column<number>(),
  merchant_minor: column<number>(),
  fees_minor: column<number>(),
  vat_minor: column<number>(),
  disputes_minor: column<number>(),
  at: column<string>(),
};

/** A row of `ledger_journal`. Money is in minor units; `at` is business time. */
export type JournalRow = ValuesOf<typeof ENTRY>;

const bookingOf = (before: LedgerStreamRow | null, recorded: RecordedEvent) => {
  const event = domainEvent<PaymentEvent | PayoutEvent>(recorded);
  return { event, ...bookEvent(recorded.streamId, before?.book ?? null, event) };
};

const apply = (row: LedgerStreamRow | null, recorded: RecordedEvent): LedgerStreamRow | null => {
  const { streamId, version } = recorded;
  const { event, book } = bookingOf(row, recorded);
  if (book === null) return null;
  if (event.type === 'IntentRequested' || event.type === 'PayoutAnnounced') {
    const { accountId, platformId, currency } = event;
    return {
      stream_id: streamId,
      account_id: accountId,
      platform_id: platformId,
      currency,
      book,
      version,
    };
  }
  assert(row !== null, 'the event that begins a stream precedes the events that are booked');
  return { ...row, book, version };
};

const journalRow = (
  before: LedgerStreamRow | null,
  after: LedgerStreamRow,
  recorded: RecordedEvent,
): JournalRow | null => {
  const { event, entry } = bookingOf(before, recorded);
  if (entry === null) return null;
  const { kind, objectId, captureId, amountMinor, postings } = entry;
  const { stream_id, account_id, platform_id, currency } = after;
  return {
    event_id: recorded.eventId,
    kind,
    object_id: objectId,
    capture_id: captureId,
    stream_id,
    account_id,
    platform_id,
    currency,
    amount_minor: amountMinor,
    payer_minor: postings.payer,
    provider_minor: postings.provider,
    merchant_minor: postings.merchant,
    fees_minor: postings.fees,
    vat_minor: postings.vat,
    disputes_minor: postings.disputes,
    at: event.at,
  };
};

const SUMS = [
  'payer_minor',
  'provider_minor',
  'merchant_minor',
  'fees_minor',
  'vat_minor',
  'disputes_minor',
];

/**
 * The double-entry ledger. Each event that moves money is one row of the journal, so the rows
 * explain every balance. Check constraints of the tables and an assertion in the mapping ensure
 * that a row sums to zero.
 */
export const ledger: Projection<LedgerStreamRow> = {
  name: 'ledger_streams',
  streamTypes: ['payment', 'payout'],
  keyColumn: 'stream_id',
  columns: COLUMNS,
  apply,
  journal: {
    table: 'ledger_journal',
    keyColumns: ['event_id'],
    columns: ENTRY,
    balances: {
      table: 'ledger_balances',
      keyColumns: ['platform_id', 'account_id', 'currency'],
      sumColumns: SUMS,
    },
    entryOf: journalRow,
  },
};
