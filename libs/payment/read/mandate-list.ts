import type { List } from '#lists';

const SAME = `FROM mandate_use o WHERE o.platform_id = u.platform_id AND o.mandate_id = u.mandate_id
  AND o.account_id = u.account_id`;

const beside = (way: '<' | '>'): string =>
  `NOT EXISTS (SELECT ${SAME} AND (o.debited_at, o.payment_id) ${way} (u.debited_at, u.payment_id))`;

/** The list of mandates, derived from their debits. */
export const MANDATE_LIST = {
  name: 'mandates',
  items: 'Mandates',
  item: 'Mandate',
  from: 'mandate_use u JOIN provider_accounts a ON a.id = u.account_id',
  where: 'u.mandate_id IS NOT NULL',
  platform: 'u.platform_id',
  id: 'u.payment_id',
  columns: {
    id: { sql: 'u.mandate_id', means: 'The `mandateId` with which orders use the mandate.' },
    merchantId: {
      sql: 'a.merchant_id',
      means: 'The merchant for whom the payer signed the mandate: no other merchant may use it.',
    },
    accountId: { sql: 'u.account_id' },
    mode: { sql: 'a.mode', oneOf: ['test', 'live'] },
    firstOrderId: {
      sql: `(SELECT o.order_id ${SAME} ORDER BY o.debited_at, o.payment_id LIMIT 1)`,
      means: 'The order with which the payer signed the mandate.',
    },
    debits: {
      sql: `(SELECT count(*) ${SAME})`,
      holds: 'integer',
      means: 'The number of debits of the mandate, including returned debits.',
    },
    firstDebitAt: { sql: `(SELECT min(o.debited_at) ${SAME})`, holds: 'instant' },
    lastDebitAt: { sql: `(SELECT max(o.debited_at) ${SAME})`, holds: 'instant' },
  },
  filters: {
    merchantId: { is: 'id', where: 'a.merchant_id = ?' },
    accountId: { is: 'id', where: 'u.account_id = ?' },
    from: {
      is: 'instant',
      where: `(SELECT min(o.debited_at) ${SAME}) >= ?`,
      means: 'First debited at this instant or later.',
    },
    to: {
      is: 'instant',
      where: `(SELECT min(o.debited_at) ${SAME}) < ?`,
      means: 'First debited before this instant.',
    },
    updatedFrom: {
      is: 'instant',
      where: `(SELECT max(o.debited_at) ${SAME}) >= ?`,
      means: 'Last debited at this instant or later.',
    },
    updatedTo: {
      is: 'instant',
      where: `(SELECT max(o.debited_at) ${SAME}) < ?`,
      means: 'Last debited before this instant.',
    },
  },
  sorts: {
    created: { by: 'u.debited_at', of: 'instant', where: beside('<') },
    updated: { by: 'u.debited_at', of: 'instant', where: beside('>'), changes: true },
  },
} as const satisfies List;
