import type { Instant } from '#kernel';
import type { AccountScope } from '../../../storage/account-scope.js';
import type { SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';
import { segmentOf } from './area-scope.js';
import type { Section } from './navigation.js';

/** The context of a page: its viewer, its scope and the time. */
export interface View extends AccountScope {
  readonly locale: Locale;
  /** The time of the sandbox's clock. */
  readonly now: Instant;
  readonly rate: number;
  /** The token of every form, so that no other site can submit one. */
  readonly token: string;
  /** True when the viewer is on this machine, and needed no key. */
  readonly isOpen: boolean;
}

/** The parts of a page within the shared frame. */
export interface PageContent {
  readonly section: Section | null;
  readonly title: string;
  /** The link back to the previous page. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly body: SafeHtml;
}

/** The message of an action, shown on the following page. */
export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

export const areaPath = (scope: AccountScope): string => `/user-area/${segmentOf(scope)}`;

/** The address of a page in the same scope. */
export const pathIn = (scope: AccountScope, path: string): string => `${areaPath(scope)}/${path}`;
