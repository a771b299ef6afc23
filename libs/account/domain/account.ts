import type { Instant } from '#kernel';
import type { AccountTerms } from './account-event.js';

interface KnownAccount {
  readonly terms: AccountTerms;
  readonly notBefore: Instant | null;
}

/** The provider account that receives the payments of a merchant. */
export type Account =
  | { readonly status: 'none' }
  /** Two people must approve the account before orders use it. */
  | ({ readonly status: 'waiting' } & KnownAccount)
  /** Orders use the account from `ordersFrom` on, until another account replaces it. */
  | ({ readonly status: 'approved'; readonly ordersFrom: Instant } & KnownAccount)
  | ({ readonly status: 'disabled' } & KnownAccount);

export type RegisteredAccount = Exclude<Account, { status: 'none' }>;
