import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';
import { ENTRY_KINDS, ENTRY_KINDS_MEAN } from './ledger-entries.js';

/**
 * SQL for the payment that the entry belongs to. A correction is an entry of its payout: its payment
 * is that of the payout line, if it is ours.
 */
const PAYMENT_ID = `CASE WHEN j.kind LIKE '%_correction' THEN (
  SELECT l.payment_id FROM payout_lines l
   WHERE l.payout_id = j.stream_id AND l.kind || '_correction' = j.kind
     AND l.object_id = j.object_id) ELSE j.stream_id END`;

/**
 * The ledger entries of a merchant, as a statement shows them: the amount, what the provider
 * deducted from it, and what remains. A query adds the merchant's provider accounts and the month.
 */
export const STATEMENT_LINES = {
  name: 'statement-lines',
  items: 'StatementLines',
  item: 'StatementLine',
  from: `ledger_journal j
         LEFT JOIN payment_list p ON p.payment_id = ${PAYMENT_ID}
         LEFT JOIN order_list o ON o.order_id = p.order_id`,
  id: 'j.event_id',
  idIs: 'uuid',
  columns: {
    eventId: { sql: 'j.event_id', means: 'The id of the event that caused the entry.' },
    at: { sql: 'j.at', holds: 'instant' },
    kind: {
      sql: 'j.kind',
      oneOf: ENTRY_KINDS,
      means: ENTRY_KINDS_MEAN,
    },
    objectId: {
      sql: 'j.object_id',
      means:
        'For a payment our id; for any other object the provider’s id. For a correction the ' +
        'provider’s id of the payout line.',
    },
    captureId: {
      sql: captureIdSql('j.'),
      nullable: true,
      means: 'The capture of the payment; otherwise null.',
    },
    orderId: { sql: 'o.order_id', nullable: true, means: 'The order; null for a payout.' },
    reference: {
      sql: 'o.reference',
      nullable: true,
      means: 'The reference of the order; null for a payout.',
    },
    currency: { sql: 'j.currency' },
    amountMinor: {
      sql: 'j.provider_minor + j.fees_minor + j.vat_minor',
      holds: 'integer',
      means: 'In minor units; negative if the merchant’s balance decreases.',
    },
    feesMinor: {
      sql: 'j.fees_minor',
      holds: 'integer',
      means: 'The fees that the provider deducted, in minor units.',
    },
    vatMinor: {
      sql: 'j.vat_minor',
      holds: 'integer',
      means: 'The VAT on fees that the provider deducted with the payout, in minor units.',
    },
    netMinor: {
      sql: 'j.provider_minor',
      holds: 'integer',
      means: '`amountMinor` less fees and VAT: the change of the balance, in minor units.',
    },
  },
  filters: {
    currency: { is: 'reference', where: 'j.currency = ?', means: 'Only lines in this currency.' },
    kind: { is: 'several', of: ENTRY_KINDS, where: 'j.kind = ?' },
  },
  sorts: { at: { by: 'j.at', of: 'instant', usually: 'asc' } },
} as const satisfies List;
