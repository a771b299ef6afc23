import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import type { RefundStatus } from '../domain/refunds-and-disputes.js';
import { METHOD, ofAccount } from './payment-list.js';

export const REFUND_STATUSES = [
  'queued',
  'requested',
  'rejected',
  'to_refund',
  'refund_sent',
  'refunded',
  'not_honored',
  'failed',
] as const satisfies readonly RefundStatus[];

const ACCOUNT = ofAccount('refund_list');

export const REFUND_LIST = {
  name: 'refunds',
  items: 'AllRefunds',
  item: 'Refund',
  from: 'refund_list',
  platform: 'platform_id',
  id: 'refund_id',
  columns: {
    id: {
      sql: 'refund_id',
      means: 'The id of your request (`rfr_…`), or of a refund made at the provider (`refd_…`).',
    },
    orderId: { sql: 'order_id' },
    paymentId: { sql: 'payment_id' },
    status: { sql: 'status', oneOf: REFUND_STATUSES },
    ...ACCOUNT.columns,
    amountMinor: { sql: 'amount_minor', holds: 'integer', means: 'In minor units.' },
    currency: { sql: 'currency' },
    ...METHOD.columns,
    providerRefundId: {
      sql: 'provider_refund_id',
      nullable: true,
      means: 'The provider’s id of the refund, as in the lines of payouts.',
    },
    requested: { sql: 'requested', holds: 'flag', means: 'Whether this API requested the refund.' },
    reference: { sql: 'reference', nullable: true, means: 'Your reference, returned unchanged.' },
    reason: { sql: 'reason', nullable: true, means: 'Your reason, returned unchanged.' },
    rejectionReason: {
      sql: 'rejection_reason',
      nullable: true,
      means: 'Why the provider did not make the refund.',
    },
    createdAt: { sql: 'created_at', holds: 'instant' },
    updatedAt: { sql: 'updated_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: REFUND_STATUSES, where: 'status = ?' },
    ...ACCOUNT.filters,
    ...METHOD.filters,
    orderId: { is: 'id', where: 'order_id = ?' },
    paymentId: { is: 'id', where: 'payment_id = ?' },
    reference: { is: 'reference', where: 'reference = ?', means: "The platform's own reference." },
    ...AMOUNT_FILTERS,
    ...timeFilters('created_at', 'Requested, or made directly at the provider,'),
  },
  sorts: usualSorts('created_at'),
} as const satisfies List;
