import type { Instant } from '#kernel';
import type { AccountScope } from '../../../storage/account-scope.js';
import type { SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';
import { segmentOf } from './area-scope.js';
import type { Section } from './navigation.js';

/** The context in which a page is rendered: account, mode, language and time. */
export interface View extends AccountScope {
  readonly locale: Locale;
  /** The time of the sandbox's clock. */
  readonly now: Instant;
  readonly rate: number;
  /** The token that every form contains, so that no other site can submit a form. */
  readonly token: string;
  /** True when the viewer is on this machine, and needed no key. */
  readonly isOpen: boolean;
  /** Whether the sandbox serves the control routes, and with them the clock and the faults. */
  readonly hasControl: boolean;
}

/** The contents of a page within the common layout. */
export interface PageContent {
  readonly section: Section | null;
  readonly title: string;
  /** The link back to the previous page. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly body: SafeHtml;
}

/** The message of an action, shown on the page to which the action redirects. */
export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

export const areaPath = (scope: AccountScope): string => `/user-area/${segmentOf(scope)}`;

/** The path of a page of this account and mode. */
export const pathIn = (scope: AccountScope, path: string): string => `${areaPath(scope)}/${path}`;
