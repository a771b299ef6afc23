import type { Dictionary } from '../i18n/en';
import type { IconName } from '../shared/icons';

export type PageName = keyof Dictionary['shell']['pages'] & IconName;

/** A page of the main menu. */
export interface Page {
  readonly name: PageName;
  readonly path: string;
  readonly group: keyof Dictionary['shell']['groups'];
  /** The letter that opens the page when typed after `g`. */
  readonly letter?: string;
  /** Whether the page shows the data of all platforms, so that limited users cannot open it. */
  readonly isForUnlimited?: true;
}

export const PAGES: readonly Page[] = [
  {
    name: 'overview',
    path: '/',
    group: 'monitoring',
    letter: 'o',
  },
  {
    name: 'cases',
    path: '/cases',
    group: 'monitoring',
    letter: 'c',
  },
  {
    name: 'money',
    path: '/money',
    group: 'monitoring',
    letter: 'y',
  },
  {
    name: 'queues',
    path: '/queues',
    group: 'monitoring',
    letter: 'q',
    isForUnlimited: true,
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'monitoring',
    letter: 'w',
  },
  {
    name: 'orders',
    path: '/orders',
    group: 'payments',
    letter: 'r',
  },
  {
    name: 'payments',
    path: '/payments',
    group: 'payments',
    letter: 'p',
  },
  {
    name: 'payouts',
    path: '/payouts',
    group: 'payments',
    letter: 'u',
  },
  {
    name: 'ledger',
    path: '/ledger',
    group: 'payments',
    letter: 'l',
  },
  {
    name: 'reconciliation',
    path: '/reconciliation',
    group: 'payments',
    letter: 'e',
  },
  {
    name: 'merchants',
    path: '/merchants',
    group: 'payments',
    letter: 'm',
  },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'monitoring',
    letter: 'v',
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'administration',
    letter: 's',
    isForUnlimited: true,
  },
  {
    name: 'users',
    path: '/users',
    group: 'administration',
    isForUnlimited: true,
  },
  {
    name: 'audit',
    path: '/audit',
    group: 'administration',
    letter: 'a',
  },
];

export const GROUPS = ['monitoring', 'payments', 'administration'] as const;

/** The pages that a user may open. */
export const pagesOf = (isLimited: boolean): readonly Page[] =>
  isLimited ? PAGES.filter(({ isForUnlimited }) => isForUnlimited !== true) : PAGES;
