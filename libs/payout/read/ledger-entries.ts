import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';

export const LEDGER_ACCOUNTS = [
  'payer',
  'provider',
  'merchant',
  'fees',
  'vat',
  'disputes',
] as const;

export type LedgerAccountName = (typeof LEDGER_ACCOUNTS)[number];

const ENTRY_KINDS = [
  'payment',
  'refund',
  'dispute',
  'dispute_reversal',
  'payout',
  'payout_failed',
] as const;

/** What events added to an account. What it has no part in is left out: few events concern all. */
export const ledgerEntries = (account: LedgerAccountName) =>
  ({
    name: 'entries',
    items: 'LedgerEntries',
    item: 'LedgerEntry',
    from: 'ledger_journal',
    where: `${account}_minor <> 0`,
    id: 'event_id',
    idIs: 'uuid',
    columns: {
      eventId: { sql: 'event_id', means: 'The event that explains it, as its topic names it.' },
      kind: {
        sql: 'kind',
        oneOf: ENTRY_KINDS,
        means: '`dispute_reversal`: a dispute that was won gives its amount back, not its fee.',
      },
      objectId: {
        sql: 'object_id',
        means: 'Our payment, or the provider’s refund, dispute or payout.',
      },
      captureId: {
        sql: captureIdSql(),
        nullable: true,
        means: 'Of a payment: the capture by which it came in.',
      },
      amountMinor: { sql: `${account}_minor`, holds: 'integer', means: 'With its sign.' },
      at: { sql: 'at', holds: 'instant' },
    },
    filters: {},
    sorts: { at: { by: 'at', of: 'instant' } },
  }) as const satisfies List;
