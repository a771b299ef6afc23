import type { ComponentType } from 'react';
import type { Dictionary } from '../i18n/en';
import type { IconName } from '../shared/icons';

/** A page of the main menu, loaded when it is first opened. */
export interface Page {
  readonly name: keyof Dictionary['shell']['pages'] & IconName;
  readonly path: string;
  readonly group: keyof Dictionary['shell']['groups'];
  /** The letter that opens the page when typed after `g`. */
  readonly letter?: string;
  /** Whether the page is about everyone's data, so that limited users cannot open it. */
  readonly isForUnlimited?: true;
  readonly load: () => Promise<ComponentType>;
}

export const PAGES: readonly Page[] = [
  {
    name: 'overview',
    path: '/',
    group: 'monitoring',
    letter: 'o',
    load: async () => (await import('../overview/overview-page')).OverviewPage,
  },
  {
    name: 'cases',
    path: '/cases',
    group: 'monitoring',
    letter: 'c',
    load: async () => (await import('../cases/cases-page')).CasesPage,
  },
  {
    name: 'money',
    path: '/money',
    group: 'monitoring',
    letter: 'y',
    load: async () => (await import('../money/money-page')).MoneyPage,
  },
  {
    name: 'queues',
    path: '/queues',
    group: 'monitoring',
    letter: 'q',
    isForUnlimited: true,
    load: async () => (await import('../queues/queues-page')).QueuesPage,
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'monitoring',
    letter: 'w',
    load: async () => (await import('../webhooks/webhooks-page')).WebhooksPage,
  },
  {
    name: 'orders',
    path: '/orders',
    group: 'payments',
    letter: 'r',
    load: async () => (await import('../orders/orders-page')).OrdersPage,
  },
  {
    name: 'payments',
    path: '/payments',
    group: 'payments',
    letter: 'p',
    load: async () => (await import('../payments/payments-page')).PaymentsPage,
  },
  {
    name: 'payouts',
    path: '/payouts',
    group: 'payments',
    letter: 'u',
    load: async () => (await import('../payouts/payouts-page')).PayoutsPage,
  },
  {
    name: 'ledger',
    path: '/ledger',
    group: 'payments',
    letter: 'l',
    load: async () => (await import('../ledger/ledger-page')).LedgerPage,
  },
  {
    name: 'reconciliation',
    path: '/reconciliation',
    group: 'payments',
    letter: 'e',
    load: async () => (await import('../reconciliation/reconciliation-page')).ReconciliationPage,
  },
  {
    name: 'merchants',
    path: '/merchants',
    group: 'payments',
    letter: 'm',
    load: async () => (await import('../merchants/merchants-page')).MerchantsPage,
  },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'monitoring',
    letter: 'v',
    load: async () => (await import('../approvals/approvals-page')).ApprovalsPage,
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'administration',
    letter: 's',
    isForUnlimited: true,
    load: async () => (await import('../settings/settings-page')).SettingsPage,
  },
  {
    name: 'users',
    path: '/users',
    group: 'administration',
    isForUnlimited: true,
    load: async () => (await import('../users/users-page')).UsersPage,
  },
  {
    name: 'audit',
    path: '/audit',
    group: 'administration',
    letter: 'a',
    load: async () => (await import('../audit/audit-page')).AuditPage,
  },
];

export const GROUPS = ['monitoring', 'payments', 'administration'] as const;
