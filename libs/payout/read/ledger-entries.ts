import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';

/**
 * The accounts of one provider account and currency, in minor units. `payer` is negative: the
 * amount that payers have paid and not received back as refunds. `provider`: what the provider owes
 * the merchant and has not paid out. `merchant`: what was paid out. `fees`, `vat`: what the
 * provider and the state have received. `disputes`: what payers' banks charged back and did not
 * return.
 */
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

export type LedgerEntryKind = (typeof ENTRY_KINDS)[number];

/**
 * The amount that each event adds to an account. Events that add nothing are omitted: few events
 * concern all accounts.
 */
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
      eventId: { sql: 'event_id', means: 'The event that explains it, by its id in the topic.' },
      kind: {
        sql: 'kind',
        oneOf: ENTRY_KINDS,
        means: '`dispute_reversal`: a won dispute returns its amount without its fee.',
      },
      objectId: {
        sql: 'object_id',
        means: 'Our payment, or the provider’s capture, refund, dispute or payout.',
      },
      captureId: {
        sql: captureIdSql(),
        nullable: true,
        means: 'For a payment: the capture that collected it.',
      },
      amountMinor: { sql: `${account}_minor`, holds: 'integer', means: 'With its sign.' },
      at: { sql: 'at', holds: 'instant' },
    },
    filters: {},
    sorts: { at: { by: 'at', of: 'instant' } },
  }) as const satisfies List;
