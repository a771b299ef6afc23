import type { ComponentType } from 'react';
import type { PageName } from './pages';

/** Loads the code of a page, when the page is first opened. */
export const PAGE_LOADERS: Readonly<Record<PageName, () => Promise<ComponentType>>> = {
  overview: async () => (await import('../overview/overview-page')).OverviewPage,
  cases: async () => (await import('../cases/cases-page')).CasesPage,
  money: async () => (await import('../money/money-page')).MoneyPage,
  queues: async () => (await import('../queues/queues-page')).QueuesPage,
  webhooks: async () => (await import('../webhooks/webhooks-page')).WebhooksPage,
  orders: async () => (await import('../orders/orders-page')).OrdersPage,
  payments: async () => (await import('../payments/payments-page')).PaymentsPage,
  payouts: async () => (await import('../payouts/payouts-page')).PayoutsPage,
  ledger: async () => (await import('../ledger/ledger-page')).LedgerPage,
  reconciliation: async () =>
    (await import('../reconciliation/reconciliation-page')).ReconciliationPage,
  merchants: async () => (await import('../merchants/merchants-page')).MerchantsPage,
  approvals: async () => (await import('../approvals/approvals-page')).ApprovalsPage,
  settings: async () => (await import('../settings/settings-page')).SettingsPage,
  users: async () => (await import('../users/users-page')).UsersPage,
  audit: async () => (await import('../audit/audit-page')).AuditPage,
};
