import { forPlatforms } from '#lists';
import { MERCHANT_LIST } from '#onboarding';
import { ORDER_LIST } from '#order';
import { DISPUTE_LIST, MANDATE_LIST, PAYMENT_LIST, REFUND_LIST } from '#payment';
import { PAYOUT_LIST } from '#payout';
import { DELIVERY_LIST } from '#webhook';
import { NOTICE_LIST } from './accounts/notice-list.js';
import { PayoutItem } from './payouts/payout-answer.js';
import { ExceptionAnswer, ExceptionLine } from './reconciliation/exception-answer.js';
import { EXCEPTION_LINES, EXCEPTIONS } from './reconciliation/exceptions.js';
import { listController } from './shared/list-controllers.js';

const ACCOUNT = { accountId: 'providerAccountId' } as const;

const ORDERS = forPlatforms(ORDER_LIST, { ...ACCOUNT, placedAt: 'createdAt' });

/**
 * The list of payments for platforms: without the filters for problems that only an operator can
 * solve.
 */
const PAYMENTS = forPlatforms(PAYMENT_LIST, {
  ...ACCOUNT,
  requestedAt: 'createdAt',
  intentId: null,
  mismatched: null,
  rejectedRefunds: null,
});

const MERCHANTS = forPlatforms(MERCHANT_LIST, { draftedAt: 'createdAt' });

const PAYOUTS = forPlatforms(
  {
    ...PAYOUT_LIST,
    columns: {
      ...PAYOUT_LIST.columns,
      reconciliation: {
        sql: `CASE WHEN matched IS NOT NULL AND exceptions IS NOT NULL
        THEN json_build_object('matched', matched, 'exceptions', exceptions) END`,
      },
    },
  },
  {
    ...ACCOUNT,
    bankDate: 'bankDate',
    mode: null,
    linesRead: null,
    matched: null,
    exceptions: null,
  },
);

/** The lists of a platform. */
export const LIST_CONTROLLERS = [
  listController(ORDERS, {
    tag: 'Orders',
    scope: 'orders:read',
    path: 'orders',
    summary: 'List orders, newest first',
  }),
  listController(PAYMENTS, {
    tag: 'Payments',
    scope: 'payments:read',
    path: 'payments',
    summary: 'List payments, newest first',
  }),
  listController(forPlatforms(REFUND_LIST, ACCOUNT), {
    tag: 'Payments',
    scope: 'payments:read',
    path: 'refunds',
    summary: 'List the refunds of all payments, newest first',
  }),
  listController(forPlatforms(DISPUTE_LIST, ACCOUNT), {
    tag: 'Payments',
    scope: 'payments:read',
    path: 'disputes',
    summary: 'List chargebacks and disputes, newest first',
  }),
  listController(forPlatforms(MANDATE_LIST, ACCOUNT), {
    tag: 'Mandates',
    scope: 'payments:read',
    path: 'mandates',
    summary: 'List signed mandates, newest first',
    description:
      'A payer who pays an order by direct debit signs a mandate. Pass its id as `mandateId` ' +
      'of a later order to debit that order without the payer present. A mandate is listed ' +
      'a moment after its first debit was accepted. The provider reports only at the next debit ' +
      'whether the payer has revoked it.',
  }),
  listController(MERCHANTS, {
    tag: 'Merchants',
    scope: 'merchants:read',
    path: 'merchants',
    summary: 'List merchants, newest first',
  }),
  listController(PAYOUTS, {
    tag: 'Payouts',
    scope: 'payouts:read',
    path: 'payouts',
    summary: 'List payouts, newest first',
    item: PayoutItem,
  }),
  listController(EXCEPTIONS, {
    tag: 'Payouts',
    scope: 'payouts:read',
    path: 'reconciliation/exceptions',
    summary: 'List reconciliation breaks, newest first',
    item: ExceptionAnswer,
    line: { list: EXCEPTION_LINES, item: ExceptionLine },
  }),
  listController(forPlatforms(DELIVERY_LIST, {}), {
    tag: 'Webhooks',
    scope: 'webhooks:read',
    path: 'webhook-deliveries',
    summary: 'List webhook deliveries, newest first',
    description: 'Deliveries are deleted after 30 days.',
  }),
  listController(NOTICE_LIST, {
    tag: 'Provider accounts',
    scope: 'accounts:read',
    path: 'notices',
    summary: 'List changes of the accounts that your merchants are paid into',
    description: 'Newest first. The Kafka topic of provider accounts publishes the same changes.',
  }),
];
