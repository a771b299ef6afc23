import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import type { PaymentMethod } from '../domain/order-event.js';
import type { OrderStatus } from '../domain/order.js';

export const ORDER_STATUSES = [
  'open',
  'authorized',
  'closing',
  'paid',
  'canceled',
  'expired',
  'failed',
] as const satisfies readonly OrderStatus[];

export const PAYMENT_METHODS = ['card', 'sepa'] as const satisfies readonly PaymentMethod[];

export const ORDER_LIST = {
  name: 'orders',
  items: 'Orders',
  item: 'Order',
  from: 'order_list',
  platform: 'platform_id',
  id: 'order_id',
  columns: {
    id: { sql: 'order_id' },
    status: { sql: 'status', oneOf: ORDER_STATUSES },
    platformId: { sql: 'platform_id' },
    merchantId: { sql: 'merchant_id' },
    accountId: { sql: 'account_id' },
    reference: { sql: 'reference' },
    amountMinor: { sql: 'amount_minor', holds: 'integer', means: 'In minor units.' },
    currency: { sql: 'currency' },
    methods: { sql: 'methods', holds: 'texts', means: 'The allowed payment methods.' },
    paidMinor: {
      sql: 'paid_minor',
      holds: 'integer',
      means: 'Paid by captures that the provider accepted, or by direct debit; in minor units.',
    },
    refundedMinor: { sql: 'refunded_minor', holds: 'integer', means: 'In minor units.' },
    chargedBackMinor: {
      sql: 'charged_back_minor',
      holds: 'integer',
      means: 'Lost by chargebacks, returned debits and voided payments; in minor units.',
    },
    paymentId: { sql: 'payment_id', nullable: true },
    placedAt: { sql: 'placed_at', holds: 'instant' },
    updatedAt: { sql: 'updated_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: ORDER_STATUSES, where: 'status = ?' },
    platformId: { is: 'id', where: 'platform_id = ?' },
    merchantId: { is: 'id', where: 'merchant_id = ?' },
    accountId: { is: 'id', where: 'account_id = ?' },
    reference: { is: 'reference', where: 'reference = ?', means: "The platform's own reference." },
    method: {
      is: 'one',
      of: PAYMENT_METHODS,
      where: '? = ANY (methods)',
      means: 'A payment method that the order allows.',
    },
    ...AMOUNT_FILTERS,
    ...timeFilters('placed_at', 'Placed'),
  },
  sorts: usualSorts('placed_at'),
} as const satisfies List;
