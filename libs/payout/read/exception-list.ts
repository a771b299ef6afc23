import type { List } from '#lists';

export const EXCEPTION_KINDS = [
  'missing',
  'unknown',
  'amount',
  'currency',
  'duplicate',
  'fee',
  'late',
] as const;

export const EXCEPTION_SUBJECTS = [
  'payment',
  'refund',
  'dispute',
  'dispute_reversal',
  'payout',
] as const;

const NUMBER = `'^-?[0-9]{1,15}$'`;

/**
 * SQL for the amount at risk because of a break, in minor units, at least 0: the difference, if the
 * amount or the fee of a line or payout differs (a missing fee counts as 0), else the amount.
 * @param row the alias of a row of `reconciliation_exceptions`
 */
export const atRiskMinor = (row: string): string => `
  CASE WHEN ${row}.kind IN ('amount', 'fee') AND ${row}.expected ~ ${NUMBER}
       THEN abs(${row}.expected::bigint
                - CASE WHEN ${row}.observed ~ ${NUMBER} THEN ${row}.observed::bigint ELSE 0 END)
       ELSE abs(${row}.amount_minor) END`;

export const EXCEPTION_STATES = {
  open: 'closed_at IS NULL',
  closed: 'closed_at IS NOT NULL',
} as const;

/** The reconciliation breaks: the differences between our ledger and the provider's payouts. */
export const EXCEPTION_LIST = {
  name: 'exceptions',
  items: 'Exceptions',
  item: 'Exception',
  from: 'reconciliation_exceptions',
  platform: 'platform_id',
  id: 'exception_id',
  columns: {
    id: { sql: 'exception_id' },
    kind: { sql: 'kind', oneOf: EXCEPTION_KINDS },
    accountId: { sql: 'account_id' },
    platformId: { sql: 'platform_id' },
    merchantId: { sql: 'merchant_id' },
    lineKind: { sql: 'line_kind', oneOf: EXCEPTION_SUBJECTS },
    objectId: {
      sql: 'object_id',
      means:
        'Our id of the payment, or the provider’s id of the payment, capture, refund, dispute or payout.',
    },
    paymentId: { sql: 'payment_id', nullable: true },
    payoutId: { sql: 'payout_id', nullable: true },
    currency: { sql: 'currency' },
    amountMinor: { sql: 'amount_minor', holds: 'integer', means: 'In minor units.' },
    expected: { sql: 'expected', means: 'The value in our records.' },
    observed: { sql: 'observed', means: "The value in the provider's records." },
    since: {
      sql: 'since',
      holds: 'day',
      means:
        'The day of the payout, or for an amount that no payout contains, the day of its booking.',
    },
    foundAt: { sql: 'found_at', holds: 'instant' },
    closedAt: { sql: 'closed_at', holds: 'instant', nullable: true },
    closedBy: {
      sql: 'closed_by',
      nullable: true,
      means:
        '`facts` if later facts closed the break; otherwise the operator who closed the break.',
    },
    closeReason: { sql: 'close_reason', nullable: true },
  },
  filters: {
    state: { is: 'case', where: EXCEPTION_STATES },
    kind: { is: 'one', of: EXCEPTION_KINDS, where: 'kind = ?' },
    platformId: { is: 'id', where: 'platform_id = ?' },
    merchantId: { is: 'id', where: 'merchant_id = ?' },
    accountId: { is: 'id', where: 'account_id = ?' },
    payoutId: { is: 'id', where: 'payout_id = ?' },
    paymentId: { is: 'id', where: 'payment_id = ?' },
    id: { is: 'id', where: 'exception_id = ?', means: 'The id of the reconciliation break.' },
  },
  sorts: { found: { by: 'found_at', of: 'instant' } },
} as const satisfies List;
