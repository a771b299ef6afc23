import { forPlatforms } from '#lists';
import { MERCHANT_LIST } from '#onboarding';
import { ORDER_LIST } from '#order';
import { DISPUTE_LIST, MANDATE_LIST, PAYMENT_LIST, REFUND_LIST } from '#payment';
import { PAYOUT_LIST } from '#payout';
import { NOTICE_LIST } from './accounts/notice-list.js';
import { PayoutItem } from './payouts/payout-answer.js';
import { ExceptionAnswer, ExceptionLine } from './reconciliation/exception-answer.js';
import { EXCEPTION_LINES, EXCEPTIONS } from './reconciliation/exceptions.js';
import { listController } from './shared/list-controllers.js';

const ACCOUNT = { accountId: 'providerAccountId' } as const;

const ORDERS = forPlatforms(ORDER_LIST, { ...ACCOUNT, placedAt: 'createdAt' });

/** What only a person at the console can do something about is not shown. */
const PAYMENTS = forPlatforms(PAYMENT_LIST, {
  ...ACCOUNT,
  requestedAt: 'createdAt',
  unknown: 'outcomeUnknown',
  intentId: null,
  mismatched: null,
  unmadeRefunds: null,
});

const MERCHANTS = forPlatforms(MERCHANT_LIST, { openForOrders: 'open', draftedAt: 'createdAt' });

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
    dateBank: 'bankDate',
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
    summary: 'List what payers took back, newest first',
  }),
  listController(forPlatforms(MANDATE_LIST, ACCOUNT), {
    tag: 'Mandates',
    scope: 'payments:read',
    path: 'mandates',
    summary: 'List the mandates that were signed, newest first',
    description:
      'A payer who pays an order by direct debit signs a mandate. Name its id as `mandateId` ' +
      'of a later order, and that order is debited with no payer present. A mandate shows here ' +
      'a moment after its first debit was accepted; whether the payer has revoked it since, the ' +
      'provider says when it is debited.',
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
    summary: 'List where payouts and our record do not agree, newest first',
    item: ExceptionAnswer,
    line: { list: EXCEPTION_LINES, item: ExceptionLine },
  }),
  listController(NOTICE_LIST, {
    tag: 'Provider accounts',
    scope: 'accounts:read',
    path: 'notices',
    summary: 'List what changed of where your merchants’ money goes',
    description: 'Newest first. The same is published on the topic of provider accounts.',
  }),
];
