import { Integer, Field, ListOf, OneOf } from '#platform';
import { LEDGER_ACCOUNTS, type LedgerAccountName, ledgerBalances } from '#payout';

export class TrialBalanceAccount {
  @OneOf(LEDGER_ACCOUNTS, 'The ledger account.', 'LedgerAccountName')
  account!: LedgerAccountName;

  @Integer('The sum of the balances of all provider accounts, in minor units.')
  balanceMinor!: number;
}

/** The balances of the six ledger accounts in one currency, summed over provider accounts. */
export class TrialBalanceLine {
  @Field('ISO 4217, lower case.')
  currency!: string;

  @Integer('The number of provider accounts with entries in this currency.')
  providerAccounts!: number;

  @ListOf(TrialBalanceAccount, 'The six ledger accounts.')
  accounts!: readonly TrialBalanceAccount[];

  @Integer('The sum of the six balances, in minor units: zero if the ledger balances.')
  sumMinor!: number;
}

export class TrialBalance {
  @ListOf(TrialBalanceLine, 'One for each currency in which money was booked.')
  items!: readonly TrialBalanceLine[];
}

/** A row of the statement: one column for each ledger account. */
export type TrialBalanceRow = Readonly<Record<LedgerAccountName, number>> & {
  readonly currency: string;
  readonly providerAccounts: number;
};

/**
 * SQL that sums up the balances by currency. Balances before a time are computed as in the list of
 * balances. `source`: the SQL of the list's rows, see `sourceOf`.
 */
export const trialBalanceSql = (
  { columns }: ReturnType<typeof ledgerBalances>,
  source: string,
): string => `
  SELECT b.currency, count(*)::int AS "providerAccounts",
         ${LEDGER_ACCOUNTS.map((name) => `sum(${columns[name].sql})::float8 AS ${name}`).join(', ')}
    ${source}
   GROUP BY b.currency ORDER BY b.currency`;

export const trialBalanceLine = ({
  currency,
  providerAccounts,
  ...balances
}: TrialBalanceRow): TrialBalanceLine => ({
  currency,
  providerAccounts,
  accounts: LEDGER_ACCOUNTS.map((account) => ({ account, balanceMinor: balances[account] })),
  sumMinor: LEDGER_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0),
});
