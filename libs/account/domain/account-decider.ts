import type { Decider, Instant } from '#kernel';
import { assert, plusMs, Rejection } from '#kernel';
import type { AccountCommand } from './account-command.js';
import type { AccountEvent } from './account-event.js';
import type { Account, RegisteredAccount } from './account.js';

type Command<T extends AccountCommand['type']> = AccountCommand & { type: T };

const mustExist = (account: Account): RegisteredAccount => {
  if (account.status !== 'none') return account;
  throw new Rejection('account_not_found', 'the provider account was never registered');
};

const register = (
  account: Account,
  command: Command<'RegisterAccount'>,
): readonly AccountEvent[] => {
  if (account.status !== 'none') return [];
  const { isFirst, notBefore, platformId, merchantId, mode, at } = command;
  return [
    {
      type: 'ProviderAccountRegistered',
      platformId,
      merchantId,
      mode,
      ordersFrom: isFirst ? at : null,
      notBefore: isFirst ? null : notBefore,
      at,
    },
  ];
};

const later = (a: Instant, b: Instant | null): Instant => (b !== null && b > a ? b : a);

/**
 * Whether orders use or have used the account: an approved account is used from its `ordersFrom`
 * on.
 */
const wasUsed = (account: RegisteredAccount, at: Instant): boolean =>
  account.status === 'approved' && account.ordersFrom <= at;

const approve = (
  account: RegisteredAccount,
  { coolingOffMs, at }: Command<'ApproveAccount'>,
): readonly AccountEvent[] => {
  if (account.status === 'approved' && !wasUsed(account, at)) {
    throw new Rejection(
      'already_approved',
      `the account is already approved: orders use it from ${account.ordersFrom} on; withdraw the account to prevent this`,
    );
  }
  const ordersFrom = later(plusMs(at, coolingOffMs), account.notBefore);
  return [{ type: 'ProviderAccountApproved', ordersFrom, at }];
};

const disable = (
  account: RegisteredAccount,
  { type, at }: Command<'WithdrawAccount' | 'DisableAccount'>,
): readonly AccountEvent[] => {
  if (account.status === 'disabled') {
    throw new Rejection('account_disabled', 'the provider account is already disabled');
  }
  if (type === 'WithdrawAccount' && wasUsed(account, at)) {
    throw new Rejection(
      'account_in_use',
      'orders have used the provider account: disable it instead of withdrawing it',
    );
  }
  return [{ type: 'ProviderAccountDisabled', at }];
};

const decide = (account: Account, command: AccountCommand): readonly AccountEvent[] => {
  switch (command.type) {
    case 'RegisterAccount':
      return register(account, command);
    case 'ApproveAccount':
      return approve(mustExist(account), command);
    case 'RotateKey': {
      const { provenBy, objectId, at } = command;
      mustExist(account);
      return [{ type: 'ProviderAccountKeyRotated', provenBy, objectId, at }];
    }
    case 'WithdrawAccount':
    case 'DisableAccount':
      return disable(mustExist(account), command);
  }
};

const evolve = (account: Account, event: AccountEvent): Account => {
  if (event.type === 'ProviderAccountRegistered') {
    const { platformId, merchantId, mode, ordersFrom, notBefore } = event;
    const known = { terms: { platformId, merchantId, mode }, notBefore };
    return ordersFrom === null
      ? { status: 'waiting', ...known }
      : { status: 'approved', ordersFrom, ...known };
  }
  assert(account.status !== 'none', 'an account is registered before any other event');
  const { terms, notBefore } = account;
  switch (event.type) {
    case 'ProviderAccountApproved':
      return { status: 'approved', ordersFrom: event.ordersFrom, terms, notBefore };
    case 'ProviderAccountKeyRotated':
      return account;
    case 'ProviderAccountDisabled':
      return { status: 'disabled', terms, notBefore };
  }
};

export const accountDecider: Decider<Account, AccountCommand, AccountEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
