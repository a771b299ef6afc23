import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';

const LINE_KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

/** The lines of one payout, whose id the queries add. */
export const PAYOUT_LINES = {
  name: 'lines',
  items: 'PayoutLines',
  item: 'PayoutLine',
  from: 'payout_lines l',
  id: 'l.object_id',
  columns: {
    kind: {
      sql: 'l.kind',
      oneOf: LINE_KINDS,
      means: '`dispute_reversal`: a won dispute returns its amount.',
    },
    providerId: { sql: 'l.object_id', means: "The provider's id of the paid-out object." },
    paymentId: { sql: 'l.payment_id', nullable: true, means: 'Our payment, where it is recorded.' },
    captureId: {
      sql: `(SELECT max(${captureIdSql('j.')}) FROM ledger_journal j
              WHERE j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id)`,
      nullable: true,
      means: 'For a payment: our capture that the line pays out, once it is booked.',
    },
    currency: { sql: 'l.currency' },
    amountMinor: {
      sql: 'l.amount_minor',
      holds: 'integer',
      means: 'Unsigned: the kind gives the direction.',
    },
    feeMinor: { sql: 'l.fee_minor', holds: 'integer', nullable: true },
    occurrences: {
      sql: 'l.occurrences',
      holds: 'integer',
      means: 'How often the payout lists it, and so counts it.',
    },
  },
  filters: {},
  sorts: { kind: { by: 'l.kind', of: 'text', usually: 'asc' } },
} as const satisfies List;
