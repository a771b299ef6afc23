import { money } from './timeline.js';

/** The balance of a ledger account, in minor units. */
export interface LedgerBalance {
  readonly account: string;
  readonly currency: string;
  readonly balanceMinor: number;
}

const MEANINGS: Readonly<Record<string, string>> = {
  payer: 'paid by payers, less refunds',
  provider: 'held by the provider; a negative sum is deducted from the next payout',
  merchant: 'arrived at the merchant’s bank',
  fees: 'charged by the provider for payments and disputes',
  vat: 'VAT on the fees of payments that have been paid out',
  disputes: 'charged back by payers’ banks and not reversed',
};

const NAME = 12;
const BALANCE = 16;

/** The ledger's accounts as a table with their meaning; the last line is their sum. */
export const ledgerLines = (
  balances: readonly LedgerBalance[],
  dim: (text: string) => string,
): readonly string[] => {
  const lineOf = (name: string, minor: number, currency: string, meaning: string): string =>
    `  ${name.padEnd(NAME)}${money(minor, currency).padStart(BALANCE)}   ${dim(meaning)}`;
  const sum = balances.reduce((total, { balanceMinor }) => total + balanceMinor, 0);
  return [
    ...balances.map(({ account, balanceMinor, currency }) =>
      lineOf(account, balanceMinor, currency, MEANINGS[account] ?? ''),
    ),
    lineOf('sum', sum, balances[0]?.currency ?? 'eur', 'always zero in double-entry bookkeeping'),
  ];
};
