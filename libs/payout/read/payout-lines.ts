import type { List } from '#lists';

const LINE_KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

/** Of one payout, which its readers name. */
export const PAYOUT_LINES = {
  name: 'lines', items: 'PayoutLines', item: 'PayoutLine', from: 'payout_lines l',
  id: 'l.object_id',
  columns: {
    kind: {
      sql: 'l.kind', oneOf: LINE_KINDS,
      means: '`dispute_reversal`: a dispute that was won gives its amount back.',
    },
    providerId: { sql: 'l.object_id', means: "The provider's id of it." },
    paymentId: { sql: 'l.payment_id', nullable: true, means: 'Our payment, where it is known.' },
    currency: { sql: 'l.currency' },
    amountMinor: {
      sql: 'l.amount_minor', holds: 'integer', means: 'Without a sign: its kind tells which way.',
    },
    feeMinor: { sql: 'l.fee_minor', holds: 'integer', nullable: true },
    times: {
      sql: 'l.times', holds: 'integer', means: 'How often the payout lists it, and so counts it.',
    },
  },
  filters: {},
  sorts: { kind: { by: 'l.kind', of: 'text', usually: 'asc' } },
} as const satisfies List;
