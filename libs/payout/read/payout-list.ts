import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import type { PayoutStatus } from '../domain/payout-event.js';

export const PAYOUT_STATUSES = [
  'pending',
  'to_pay',
  'sent',
  'paid',
  'failed',
] as const satisfies readonly PayoutStatus[];

/**
 * SQL for the open breaks of a payout: those of its lines, and those of the payout itself, for
 * example a transfer that has not arrived in time.
 */
export const OPEN_BREAKS = `
  FROM reconciliation_exceptions x
 WHERE x.payout_id = payout_list.payout_id AND x.closed_at IS NULL`;

/** SQL conditions for the result of a payout's reconciliation. */
export const PAYOUT_RECONCILIATIONS = {
  matched: `lines_read AND matched IS NOT NULL AND NOT EXISTS (SELECT ${OPEN_BREAKS})`,
  breaks: `lines_read AND matched IS NOT NULL AND EXISTS (SELECT ${OPEN_BREAKS})`,
  unread: '(NOT lines_read OR matched IS NULL)',
} as const;

export const PAYOUT_LIST = {
  name: 'payouts',
  items: 'Payouts',
  item: 'Payout',
  from: 'payout_list',
  platform: 'platform_id',
  id: 'payout_id',
  columns: {
    id: { sql: 'payout_id' },
    status: { sql: 'status', oneOf: PAYOUT_STATUSES },
    platformId: { sql: 'platform_id' },
    merchantId: { sql: 'merchant_id' },
    accountId: { sql: 'account_id' },
    mode: { sql: 'mode', oneOf: ['test', 'live'] },
    reference: { sql: 'reference', means: 'The reference of the credit transfer.' },
    amountMinor: {
      sql: 'amount_minor',
      holds: 'integer',
      means: 'The amount that the merchant receives, in minor units.',
    },
    feesMinor: { sql: 'fees_minor', holds: 'integer', means: 'In minor units.' },
    feesVatMinor: { sql: 'fees_vat_minor', holds: 'integer', means: 'In minor units.' },
    currency: { sql: 'currency' },
    date: { sql: 'date', holds: 'day', means: 'The day on which the payout was made.' },
    bankDate: {
      sql: 'bank_date',
      holds: 'day',
      nullable: true,
      means: 'The day on which the bank received the payout.',
    },
    linesRead: { sql: 'lines_read', holds: 'flag', means: 'Whether all lines were read.' },
    matched: {
      sql: 'matched',
      holds: 'integer',
      nullable: true,
      means: 'The number of lines that match our ledger.',
    },
    exceptions: {
      sql: 'exceptions',
      holds: 'object',
      nullable: true,
      means: 'The number of open breaks of the lines at the last reconciliation, by kind.',
    },
    updatedAt: { sql: 'updated_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: PAYOUT_STATUSES, where: 'status = ?' },
    platformId: { is: 'id', where: 'platform_id = ?' },
    merchantId: { is: 'id', where: 'merchant_id = ?' },
    accountId: { is: 'id', where: 'account_id = ?' },
    reference: {
      is: 'reference',
      where: 'reference = ?',
      means: 'The reference of the credit transfer.',
    },
    ...AMOUNT_FILTERS,
    ...timeFilters('date', 'Made'),
    from: { is: 'day', where: 'date >= ?', means: 'Made on this day or later.' },
    to: { is: 'day', where: 'date < ?', means: 'Made before this day.' },
  },
  sorts: usualSorts('date', 'day'),
} as const satisfies List;
