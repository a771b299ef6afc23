import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';

/**
 * The ledger accounts of one provider account and currency, in minor units. `payer`, negative: the
 * amount that payers have paid and not received back as refunds. `provider`: the amount that the
 * provider owes the merchant and has not paid out. `merchant`: the amount that was paid out.
 * `fees`, `vat`: the amounts that the provider has kept as fees and VAT. `disputes`: the amount
 * that payers' banks have charged back and not returned.
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

export const ENTRY_KINDS = [
  'payment',
  'refund',
  'dispute',
  'dispute_reversal',
  'payout',
  'payout_failed',
  'fee_correction',
] as const;

/** Descriptions of the kinds of ledger entries whose names do not explain them. */
export const ENTRY_KINDS_MEAN =
  '`dispute_reversal`: the amount of a won dispute, which is returned without the fee. ' +
  '`fee_correction`: the provider deducted another fee for a payout line, and operators accepted it.';

/**
 * SQL for the fee of a journal entry `j` of a payout line, with the corrections of this fee. The
 * reversal of a dispute has the dispute's id and no fee of its own.
 */
export const FEE_SQL = `(j.fees_minor + CASE WHEN j.kind = 'dispute_reversal' THEN 0 ELSE coalesce((
  SELECT sum(f.fees_minor) FROM ledger_journal f
   WHERE f.account_id = j.account_id AND f.kind = 'fee_correction'
     AND f.object_id = j.object_id), 0) END)`;

export type LedgerEntryKind = (typeof ENTRY_KINDS)[number];

/**
 * The amount that each event adds to a ledger account. Events that add nothing to an account are
 * not listed for it, because most events change only some of the accounts.
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
      eventId: {
        sql: 'event_id',
        means: 'The id of the event that caused the entry, as in the Kafka topic.',
      },
      kind: {
        sql: 'kind',
        oneOf: ENTRY_KINDS,
        means: ENTRY_KINDS_MEAN,
      },
      objectId: {
        sql: 'object_id',
        means:
          'For a payment our id; for any other object the provider’s id. For a `fee_correction` the ' +
          'object of the payout line.',
      },
      captureId: { sql: captureIdSql(), nullable: true, means: 'The capture of the payment.' },
      amountMinor: {
        sql: `${account}_minor`,
        holds: 'integer',
        means: 'In minor units; may be negative.',
      },
      at: { sql: 'at', holds: 'instant' },
    },
    filters: {},
    sorts: { at: { by: 'at', of: 'instant' } },
  }) as const satisfies List;
