import type { List } from '#lists';
import { captureIdSql } from './capture-id.js';

const LINE_KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

/** The lines of one payout; a query adds the payout's id. */
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
      means: '`dispute_reversal`: the returned amount of a won dispute.',
    },
    providerId: {
      sql: 'l.object_id',
      means: "The provider's id of the payment, refund or dispute.",
    },
    paymentId: {
      sql: 'l.payment_id',
      nullable: true,
      means: 'Our id of the payment; null if we have no record of it.',
    },
    captureId: {
      sql: `(SELECT max(${captureIdSql('j.')}) FROM ledger_journal j
              WHERE j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id)`,
      nullable: true,
      means:
        'For a payment: the capture that the line pays out; null until our ledger contains that capture.',
    },
    currency: { sql: 'l.currency' },
    amountMinor: {
      sql: 'l.amount_minor',
      holds: 'integer',
      means:
        'An amount without a sign: the kind of the line shows whether it is added or subtracted.',
    },
    feeMinor: { sql: 'l.fee_minor', holds: 'integer', nullable: true },
    occurrences: {
      sql: 'l.occurrences',
      holds: 'integer',
      means: 'How often the line occurs in the payout; amount and fee are those of one occurrence.',
    },
  },
  filters: {},
  sorts: { kind: { by: 'l.kind', of: 'text', usually: 'asc' } },
} as const satisfies List;
