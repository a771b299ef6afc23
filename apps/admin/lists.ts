import type { List } from '#lists';
import { MERCHANT_LIST } from '#onboarding';
import { EXCEPTION_LIST } from '#payout';
import { AUDIT_LIST } from './audit/audit-list.js';
import type { ExportedLists } from './exports/exported-lists.js';
import { DISCARDED_LIST } from './queues/discarded-list.js';
import { listControllers } from './lists/list-controllers.js';
import { BREAK_FILTERS, LEDGER_ENTRIES, ORDERS, PAYMENTS, PAYOUTS } from './lists/money-filters.js';
import { MERCHANT_SEARCH, ORDER_SEARCH, PAYMENT_SEARCH, PAYOUT_SEARCH } from './lists/searches.js';
import { totalsController } from './lists/totals-controller.js';
import { REFUSED_WEBHOOK_LIST, SENT_WEBHOOK_LIST, WEBHOOK_LIST } from './webhooks/webhook-lists.js';

const EXCEPTIONS: List = {
  ...EXCEPTION_LIST,
  filters: BREAK_FILTERS,
  columns: {
    ...EXCEPTION_LIST.columns,
    balanceMinor: {
      sql: `(SELECT b.provider_minor FROM ledger_balances b
              WHERE b.platform_id = reconciliation_exceptions.platform_id
                AND b.account_id = reconciliation_exceptions.account_id
                AND b.currency = reconciliation_exceptions.currency)`,
      holds: 'integer',
      nullable: true,
      means:
        'The ledger’s balance of the account at the provider, in minor units: if it is negative ' +
        'the provider withholds payouts. Null: no entries.',
    },
  },
};

/** The lists that the search reads, in the order of its results. */
export const SEARCHED = {
  payment: { ...PAYMENTS, search: PAYMENT_SEARCH },
  order: { ...ORDERS, search: ORDER_SEARCH },
  payout: { ...PAYOUTS, search: PAYOUT_SEARCH },
  merchant: { ...MERCHANT_LIST, search: MERCHANT_SEARCH },
} as const satisfies Readonly<Record<string, List>>;

const VIEWERS = { files: { csv: 'viewer' } } as const;
const AUDIT_READER = 'operator';

/** The lists of the console. */
export const LIST_CONTROLLERS = [
  ...listControllers(SEARCHED.order, 'Orders', 'Orders, newest first', VIEWERS),
  ...listControllers(SEARCHED.payment, 'Payments', 'Payments, newest first', VIEWERS),
  ...listControllers(SEARCHED.payout, 'Payouts', 'Payouts, newest first', VIEWERS),
  totalsController(SEARCHED.order, 'Orders'),
  totalsController(SEARCHED.payment, 'Payments'),
  totalsController(SEARCHED.payout, 'Payouts'),
  totalsController(LEDGER_ENTRIES, 'Ledger'),
  ...listControllers(SEARCHED.merchant, 'Merchants', 'Merchants, newest first', VIEWERS),
  ...listControllers(LEDGER_ENTRIES, 'Ledger', 'Ledger entries, newest first', VIEWERS),
  ...listControllers(
    EXCEPTIONS,
    'Reconciliation',
    'Reconciliation breaks, most recently found first',
  ),
  ...listControllers(WEBHOOK_LIST, 'Webhooks', 'Accepted webhooks, newest first'),
  ...listControllers(
    REFUSED_WEBHOOK_LIST,
    'Webhooks',
    'Rejected webhooks with their reason, newest first',
  ),
  ...listControllers(SENT_WEBHOOK_LIST, 'Webhooks', 'Webhooks sent to platforms, newest first'),
  ...listControllers(
    DISCARDED_LIST,
    'Queues',
    'Discarded reactions with their reason and user, newest first',
    // Discarded reactions are part of the page Queues, which limited users may not see.
    { narrowed: false },
  ),
  ...listControllers(AUDIT_LIST, 'Audit', 'Audit entries, newest first', {
    files: { csv: AUDIT_READER, ndjson: AUDIT_READER },
  }),
];

/** The lists that are exported in the background: those with a CSV file. */
export const EXPORTED: ExportedLists = {
  ...Object.fromEntries(
    [...Object.values(SEARCHED), LEDGER_ENTRIES].map((list) => [
      list.name,
      { list, role: VIEWERS.files.csv },
    ]),
  ),
  [AUDIT_LIST.name]: { list: AUDIT_LIST, role: AUDIT_READER },
};
