import { assert, instantFromMs } from '#kernel';
import type { ScheduleLine } from '#psp';

export interface SimulatedAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly apiKey: string;
}

/** The provider accounts of a simulation. Each order belongs to one of them. */
export const ACCOUNTS = [
  { id: 'acc_1', merchantId: 'mer_1', apiKey: 'stest_simulated_1' },
  { id: 'acc_2', merchantId: 'mer_2', apiKey: 'stest_simulated_2' },
] as const satisfies readonly SimulatedAccount[];

export const accountOf = (accountId: string): SimulatedAccount => {
  const account = ACCOUNTS.find(({ id }) => id === accountId);
  assert(account, `the account ${accountId} is simulated`);
  return account;
};

/** The schedule of a merchant's accounts: each merchant has one account, from the beginning. */
export const scheduleOf = (_platformId: string, merchantId: string): Promise<ScheduleLine[]> =>
  Promise.resolve(
    ACCOUNTS.filter((one) => one.merchantId === merchantId).map(({ id }) => ({
      mode: 'live',
      ordersFrom: instantFromMs(0),
      accountId: id,
      takingOrders: true,
    })),
  );

/** The account to which the provider attributes a request, by the request's API key. */
export const accountWithKey = (apiKey: string): SimulatedAccount => {
  const account = ACCOUNTS.find((one) => one.apiKey === apiKey);
  assert(account, 'an API key belongs to a simulated account');
  return account;
};
