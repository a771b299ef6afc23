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
 * The aggregate of provider accounts; the stream's id is the account's (`acc_…`). The API key is in
 * `provider_accounts`. A trigger derives `account_schedule` from the events; it determines which
 * account an order uses.
 */
export const accountAggregate: Aggregate<Account, AccountCommand, AccountEvent> = {
  streamType: 'account',
  decider: accountDecider,
  upcasters: UPCASTERS,
  followUps: () => NO_FOLLOW_UPS,
};
