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

/** The kinds of entries by which operators accept payout lines that differ from the ledger. */
export const CORRECTION_KINDS = [
  'payment_correction',
  'refund_correction',
  'dispute_correction',
  'dispute_reversal_correction',
] as const;

export const ENTRY_KINDS = [
  'payment',
  'refund',
  'dispute',
  'dispute_reversal',
  'payout',
  'payout_failed',
  ...CORRECTION_KINDS,
] as const;

/** Descriptions of the kinds of ledger entries whose names do not explain them. */
export const ENTRY_KINDS_MEAN =
  '`dispute_reversal`: the amount of a won dispute, which is returned without the fee. ' +
  '`payment_correction`, `refund_correction`, `dispute_correction`, `dispute_reversal_correction`: ' +
  'operators accepted a payout line of this kind that differed from the ledger in its amount or ' +
  'fee, or reversed this.';

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
          'For a payment our id; for any other object the provider’s id. For a correction the ' +
          'provider’s id of the payout line.',
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
