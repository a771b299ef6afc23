import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import type { PayoutStatus } from '../domain/payout-event.js';

export const PAYOUT_STATUSES = [
  'pending',
  'to_pay',
  'sent',
  'paid',
  'failed',
] as const satisfies readonly PayoutStatus[];

/** SQL for the number of open breaks of a reconciled payout, of all kinds. */
const BREAKS = `(SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text(exceptions))`;

/** SQL conditions for the result of a payout's reconciliation. */
export const PAYOUT_RECONCILIATIONS = {
  matched: `lines_read AND matched IS NOT NULL AND ${BREAKS} = 0`,
  breaks: `lines_read AND matched IS NOT NULL AND ${BREAKS} > 0`,
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
      means: 'The number of open reconciliation breaks, by kind.',
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
