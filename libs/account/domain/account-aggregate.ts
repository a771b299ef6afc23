import { type Aggregate, NO_FOLLOW_UPS, type Upcaster } from '#kernel';
import type { AccountCommand } from './account-command.js';
import { accountDecider } from './account-decider.js';
import type { AccountEvent } from './account-event.js';
import type { Account } from './account.js';

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<AccountEvent['type'], readonly Upcaster[]>> = {
  ProviderAccountRegistered: [],
  ProviderAccountApproved: [],
  ProviderAccountKeyRotated: [],
  ProviderAccountDisabled: [],
};

/**
 * The aggregate of provider accounts. Its stream has the id of the account (`acc_…`); the account's
 * API key is in the table `provider_accounts`. A database trigger derives the table
 * `account_schedule` from the events; this table determines which account a new order uses.
 */
export const accountAggregate: Aggregate<Account, AccountCommand, AccountEvent> = {
  streamType: 'account',
  decider: accountDecider,
  upcasters: UPCASTERS,
  ownerOf: (account) => (account.status === 'none' ? null : account.terms),
  followUps: () => NO_FOLLOW_UPS,
};
