import { type Aggregate, NO_FOLLOW_UPS, type Upcaster } from '#kernel';
import type { AccountCommand } from './account-command.js';
import { accountDecider } from './account-decider.js';
import type { AccountEvent } from './account-event.js';
import type { Account } from './account.js';

/** Upcasts of older schema versions. */
const UPCASTERS: Readonly<Record<AccountEvent['type'], readonly Upcaster[]>> = {
  ProviderAccountRegistered: [],
  ProviderAccountApproved: [],
  ProviderAccountKeyRotated: [],
  ProviderAccountDisabled: [],
};

/**
 * A stream is a provider account, under its id (`acc_…`). Its key is in `provider_accounts`; a
 * trigger derives `account_schedule` from its events, by which orders choose their account.
 */
export const accountAggregate: Aggregate<Account, AccountCommand, AccountEvent> = {
  streamType: 'account',
  decider: accountDecider,
  upcasters: UPCASTERS,
  followUps: () => NO_FOLLOW_UPS,
};
