import type { Instant } from '#kernel';
import type { AccountScope } from '../../../storage/account-scope.js';
import type { SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';
import { segmentOf } from './area-scope.js';
import type { Section } from './navigation.js';

/** Who looks at a page of the User Area, at whose, and when. */
export interface View extends AccountScope {
  readonly locale: Locale;
  /** On the sandbox's clock. */
  readonly now: Instant;
  readonly rate: number;
  /** What every form carries, so that no other site can send one. */
  readonly token: string;
  /** The reader sits at this machine, and needed no key. */
  readonly isOpen: boolean;
}

/** What a page shows within the frame that they all share. */
export interface PageContent {
  readonly section: Section | null;
  readonly title: string;
  /** Where the page was reached from. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly body: SafeHtml;
}

/** What an action has to say on the page that follows it. */
export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

export const areaPath = (scope: AccountScope): string => `/user-area/${segmentOf(scope)}`;

/** The address of a page in the same scope. */
export const pathIn = (scope: AccountScope, path: string): string => `${areaPath(scope)}/${path}`;
