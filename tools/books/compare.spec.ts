import { differencesOf } from './compare.js';

const AT = { providerAccount: 'acct_1 test', currency: 'eur' };
const OTHER = { ...AT, providerAccount: 'acct_2 test' };

const theirs = [AT, OTHER].map((at) => ({ ...at, balances: { payer: -1_000, merchant: 1_000 } }));
const booked = (at: typeof AT, amountMinor: number) => ({
  ...at,
  balances: { payer: -amountMinor, provider: amountMinor },
});

const found = (ours: readonly ReturnType<typeof booked>[]) =>
  differencesOf({ ours, unknown: [], theirs })
    .filter(({ differenceMinor }) => differenceMinor !== 0)
    .map(({ providerAccount, account, differenceMinor }) => [
      providerAccount,
      account,
      differenceMinor,
    ]);

test('the comparison finds no difference when each provider account has the provider’s balances', () => {
  expect(found([booked(AT, 1_000), booked(OTHER, 1_000)])).toEqual([]);
});

test('the comparison finds an entry that is booked in the account of another merchant', () => {
  expect(found([booked(AT, 700), booked(OTHER, 1_300)])).toEqual([
    ['acct_1 test', 'payer', 300],
    ['acct_1 test', 'provider', -300],
    ['acct_2 test', 'payer', -300],
    ['acct_2 test', 'provider', 300],
  ]);
});

test('the comparison includes an account that only one side has', () => {
  expect(found([booked(AT, 1_000)])).toEqual([
    ['acct_2 test', 'payer', 1_000],
    ['acct_2 test', 'provider', -1_000],
  ]);
});
