import type { ComponentType } from 'react';
import type { Dictionary } from '../i18n/en';
import type { IconName } from '../shared/icons';

/** A page of the main menu, loaded when it is first opened. */
export interface Page {
  readonly name: keyof Dictionary['shell']['pages'] & IconName;
  readonly path: string;
  readonly group: keyof Dictionary['shell']['groups'];
  /** The letter that, after `g`, leads there. */
  readonly letter?: string;
  readonly load: () => Promise<ComponentType>;
}

export const PAGES: readonly Page[] = [
  {
    name: 'overview',
    path: '/',
    group: 'watch',
    letter: 'o',
    load: async () => (await import('../overview/overview-page')).OverviewPage,
  },
  {
    name: 'queues',
    path: '/queues',
    group: 'watch',
    letter: 'q',
    load: async () => (await import('../queues/queues-page')).QueuesPage,
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'watch',
    letter: 'w',
    load: async () => (await import('../webhooks/webhooks-page')).WebhooksPage,
  },
  {
    name: 'orders',
    path: '/orders',
    group: 'money',
    letter: 'r',
    load: async () => (await import('../orders/orders-page')).OrdersPage,
  },
  {
    name: 'payments',
    path: '/payments',
    group: 'money',
    letter: 'p',
    load: async () => (await import('../payments/payments-page')).PaymentsPage,
  },
  {
    name: 'payouts',
    path: '/payouts',
    group: 'money',
    letter: 'u',
    load: async () => (await import('../payouts/payouts-page')).PayoutsPage,
  },
  {
    name: 'reconciliation',
    path: '/reconciliation',
    group: 'money',
    letter: 'e',
    load: async () => (await import('../reconciliation/reconciliation-page')).ReconciliationPage,
  },
  {
    name: 'merchants',
    path: '/merchants',
    group: 'money',
    letter: 'm',
    load: async () => (await import('../merchants/merchants-page')).MerchantsPage,
  },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'watch',
    letter: 'v',
    load: async () => (await import('../approvals/approvals-page')).ApprovalsPage,
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'house',
    letter: 's',
    load: async () => (await import('../settings/settings-page')).SettingsPage,
  },
  {
    name: 'users',
    path: '/users',
    group: 'house',
    load: async () => (await import('../users/users-page')).UsersPage,
  },
  {
    name: 'audit',
    path: '/audit',
    group: 'house',
    letter: 'a',
    load: async () => (await import('../audit/audit-page')).AuditPage,
  },
];

export const GROUPS = ['watch', 'money', 'house'] as const;
