import { CURRENCIES } from '#kernel';
import type { List } from '#lists';
import { ENTRY_KINDS } from './ledger-entries.js';
import { STATEMENT_LINES } from './statement-lines.js';

/** All ledger entries, each as on the statement of its merchant. */
export const JOURNAL_LIST = {
  ...STATEMENT_LINES,
  name: 'ledger-entries',
  items: 'JournalEntries',
  item: 'JournalEntry',
  platform: 'j.platform_id',
  columns: {
    ...STATEMENT_LINES.columns,
    paymentId: {
      sql: 'p.payment_id',
      nullable: true,
      means: 'Our payment; null for a payout.',
    },
    platformId: { sql: 'j.platform_id' },
    accountId: { sql: 'j.account_id' },
    merchantId: {
      sql: '(SELECT a.merchant_id FROM provider_accounts a WHERE a.id = j.account_id)',
      nullable: true,
    },
  },
  filters: {
    kind: { is: 'several', of: ENTRY_KINDS, where: 'j.kind = ?' },
    currency: { is: 'one', of: CURRENCIES, where: 'j.currency = ?' },
    platformId: { is: 'id', where: 'j.platform_id = ?' },
    merchantId: {
      is: 'id',
      where: 'j.account_id IN (SELECT a.id FROM provider_accounts a WHERE a.merchant_id = ?)',
    },
    accountId: { is: 'id', where: 'j.account_id = ?' },
    from: { is: 'instant', where: 'j.at >= ?', means: 'Booked at this instant or later.' },
    to: { is: 'instant', where: 'j.at < ?', means: 'Booked before this instant.' },
  },
  sorts: { at: { by: 'j.at', of: 'instant' } },
} as const satisfies List;
