import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import { DISPUTE_KINDS, DISPUTE_STATUSES } from '../domain/payment-event.js';
import { METHOD, ofAccount } from './payment-list.js';

const ACCOUNT = ofAccount('dispute_list');

export const DISPUTE_LIST = {
  name: 'disputes',
  items: 'Disputes',
  item: 'Dispute',
  from: 'dispute_list',
  platform: 'platform_id',
  id: 'dispute_id',
  columns: {
    id: { sql: 'dispute_id', means: 'The provider’s id of the dispute (`dspt_…`).' },
    orderId: { sql: 'order_id' },
    paymentId: { sql: 'payment_id' },
    kind: {
      sql: 'kind',
      oneOf: DISPUTE_KINDS,
      means: '`sepa_return`: a returned direct debit.',
    },
    status: {
      sql: 'status',
      oneOf: DISPUTE_STATUSES,
      means: '`won`: the amount is returned in a later payout. No other status returns money.',
    },
    ...ACCOUNT.columns,
    amountMinor: { sql: 'amount_minor', holds: 'integer', means: 'Charged back, in minor units.' },
    currency: { sql: 'currency' },
    ...METHOD.columns,
    reasonCode: {
      sql: 'reason_code',
      means: 'The real reason code. Never show this code to the payer: it may be confidential.',
    },
    payerReasonCode: { sql: 'payer_reason_code', means: 'The reason code that the payer may see.' },
    createdAt: { sql: 'created_at', holds: 'instant' },
    updatedAt: { sql: 'updated_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: DISPUTE_STATUSES, where: 'status = ?' },
    kind: { is: 'one', of: DISPUTE_KINDS, where: 'kind = ?' },
    ...ACCOUNT.filters,
    ...METHOD.filters,
    orderId: { is: 'id', where: 'order_id = ?' },
    paymentId: { is: 'id', where: 'payment_id = ?' },
    ...AMOUNT_FILTERS,
    ...timeFilters('created_at', 'Made'),
  },
  sorts: usualSorts('created_at'),
} as const satisfies List;
