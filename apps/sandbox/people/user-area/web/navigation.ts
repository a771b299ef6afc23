import type { Locale } from '../../web/locale.js';
import type { AreaIcon } from './area-icons.js';

/** An entry of the User Area's navigation; its page is at `/user-area/{mode}/{path}`. */
export interface NavigationEntry {
  readonly path: string;
  readonly icon: AreaIcon;
  readonly label: Readonly<Record<Locale, string>>;
  /** The group of the entry: money, webhooks and events, or tools that only a sandbox has. */
  readonly group: 'money' | 'developers' | 'sandbox';
  /** Set for the pages that are served only with the control routes. */
  readonly needsControl?: true;
}

/**
 * Every section, in order. A new section needs an entry here, and a controller at
 * `user-area/:mode/{path}` that renders its pages with the `Desk`.
 */
export const NAVIGATION = [
  {
    path: 'payments',
    icon: 'card',
    group: 'money',
    label: { en: 'Payments', fr: 'Paiements' },
  },
  {
    path: 'intents',
    icon: 'link',
    group: 'money',
    label: { en: 'Payment intents', fr: 'Intentions de paiement' },
  },
  {
    path: 'payouts',
    icon: 'payout',
    group: 'money',
    label: { en: 'Payouts', fr: 'Versements' },
  },
  {
    path: 'webhooks',
    icon: 'webhook',
    group: 'developers',
    label: { en: 'Webhooks', fr: 'Webhooks' },
  },
  {
    path: 'events',
    icon: 'list',
    group: 'developers',
    label: { en: 'Events', fr: 'Événements' },
  },
  {
    path: 'messages',
    icon: 'message',
    group: 'sandbox',
    needsControl: true,
    label: { en: 'Messages', fr: 'Messages' },
  },
  {
    path: 'accounts',
    icon: 'people',
    group: 'sandbox',
    label: { en: 'Accounts', fr: 'Comptes' },
  },
  {
    path: 'clock',
    icon: 'clock',
    group: 'sandbox',
    needsControl: true,
    label: { en: 'Clock', fr: 'Horloge' },
  },
  {
    path: 'faults',
    icon: 'bolt',
    group: 'sandbox',
    needsControl: true,
    label: { en: 'Faults', fr: 'Pannes' },
  },
] as const satisfies readonly NavigationEntry[];

export type Section = (typeof NAVIGATION)[number]['path'];
