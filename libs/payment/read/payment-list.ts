import { AMOUNT_FILTERS, type List, timeFilters, usualSorts } from '#lists';
import type { PaymentTerms } from '../domain/payment-event.js';
import type { PaymentStatus } from '../domain/payment.js';

export const PAYMENT_STATUSES = [
  'requested',
  'rejected',
  'open',
  'processing',
  'authorized',
  'to_capture',
  'capture_sent',
  'captured',
  'canceled',
  'expired',
  'returned',
] as const satisfies readonly PaymentStatus[];

const METHODS = ['card', 'sepa'] as const satisfies PaymentTerms['methods'];

/** The merchant of a row follows from its account: an account belongs to one merchant. */
export const ofAccount = (table: string) =>
  ({
    columns: {
      platformId: { sql: 'platform_id' },
      accountId: { sql: 'account_id' },
      merchantId: {
        sql: `(SELECT a.merchant_id FROM provider_accounts a WHERE a.id = ${table}.account_id)`,
        nullable: true,
      },
    },
    filters: {
      platformId: { is: 'id', where: 'platform_id = ?' },
      accountId: { is: 'id', where: 'account_id = ?' },
      merchantId: {
        is: 'id',
        where: 'account_id IN (SELECT a.id FROM provider_accounts a WHERE a.merchant_id = ?)',
      },
    },
  }) as const satisfies Pick<List, 'columns' | 'filters'>;

/** The fields that the lists of payments, refunds and disputes share. */
export const METHOD = {
  columns: { method: { sql: 'method', oneOf: METHODS, nullable: true } },
  filters: { method: { is: 'one', of: METHODS, where: 'method = ?' } },
} as const satisfies Pick<List, 'columns' | 'filters'>;

const ACCOUNT = ofAccount('payment_list');

export const PAYMENT_LIST = {
  name: 'payments',
  items: 'Payments',
  item: 'Payment',
  from: 'payment_list',
  platform: 'platform_id',
  id: 'payment_id',
  columns: {
    id: { sql: 'payment_id' },
    orderId: { sql: 'order_id' },
    status: { sql: 'status', oneOf: PAYMENT_STATUSES },
    ...ACCOUNT.columns,
    amountMinor: { sql: 'amount_minor', holds: 'integer', means: 'In minor units.' },
    capturedMinor: {
      sql: 'captured_minor',
      holds: 'integer',
      means: 'The sum of the captures that were sent to clearing, in minor units.',
    },
    refundedMinor: { sql: 'refunded_minor', holds: 'integer', means: 'In minor units.' },
    currency: { sql: 'currency' },
    method: {
      ...METHOD.columns.method,
      means:
        'The method with which the payer paid; before that, the method if only one is allowed, otherwise null.',
    },
    lastFour: {
      sql: 'last_four',
      nullable: true,
      means: 'The last four characters of the card number or IBAN of the last attempt.',
    },
    intentId: { sql: 'intent_id', nullable: true, means: 'The id of the intent at the provider.' },
    unknownResults: {
      sql: 'unknown_results',
      holds: 'texts',
      means: 'Provider requests whose result is unknown.',
    },
    rejectedRefunds: {
      sql: 'rejected_refunds',
      holds: 'texts',
      means:
        'Refund requests that the provider did not execute: request each refund again, or abandon it.',
    },
    rejectedCaptures: {
      sql: 'rejected_captures',
      holds: 'texts',
      means:
        'Captures that the provider rejected, until another capture is requested or the payment ends.',
    },
    disputed: { sql: 'disputed', holds: 'flag' },
    mismatched: { sql: 'mismatched', holds: 'flag' },
    requestedAt: { sql: 'requested_at', holds: 'instant' },
    updatedAt: { sql: 'updated_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: PAYMENT_STATUSES, where: 'status = ?' },
    ...ACCOUNT.filters,
    ...METHOD.filters,
    orderId: { is: 'id', where: 'order_id = ?' },
    lastFour: {
      is: 'id',
      where: 'last_four = ?',
      means: 'The last four characters of the card number or IBAN.',
    },
    intentId: { is: 'id', where: 'intent_id = ?', means: 'The id of the intent (`pi_…`).' },
    unknownResults: {
      is: 'flag',
      where: `unknown_results <> '{}'`,
      means: 'Only payments with a provider request whose result is unknown.',
    },
    disputed: { is: 'flag', where: 'disputed', means: 'Only disputed payments.' },
    mismatched: {
      is: 'flag',
      where: 'mismatched',
      means: 'Only payments for which the provider shows something that contradicts our records.',
    },
    capturedInPart: {
      is: 'flag',
      where: 'captured_minor > 0 AND captured_minor < amount_minor',
      means: 'Only payments of which less was captured than was authorized.',
    },
    rejectedRefunds: {
      is: 'flag',
      where: `rejected_refunds <> '{}'`,
      means:
        'Only payments with a refund that the provider did not execute and that needs attention.',
    },
    rejectedCaptures: {
      is: 'flag',
      where: `rejected_captures <> '{}'`,
      means: 'Only payments with a capture that the provider rejected and that needs attention.',
    },
    ...AMOUNT_FILTERS,
    ...timeFilters('requested_at', 'Requested'),
  },
  sorts: usualSorts('requested_at'),
} as const satisfies List;
