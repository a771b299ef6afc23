import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import {
  EVERYTHING,
  type List,
  type ListQuery,
  Lists,
  ofPlatform,
  type Scope,
  sourceOf,
} from '#lists';
import {
  LEDGER_ACCOUNTS,
  type LedgerAccountName,
  ledgerBalances,
  type LedgerBalancesRow,
  ledgerEntries,
} from '#payout';
import type { AccountMode } from '#psp';
import {
  type TrialBalance,
  trialBalanceLine,
  type TrialBalanceRow,
  trialBalanceSql,
} from './trial-balance.js';
import type { LedgerAccountAnswer, LedgerAccountList, LedgerAccountPage } from './ledger-answer.js';

/** The components of a ledger account's id. */
export interface LedgerAccountKey {
  readonly providerAccountId: string;
  readonly currency: string;
  readonly account: LedgerAccountName;
}

/** The scope of a read of the ledger. */
export interface LedgerScope {
  /** The platform; null for all platforms. */
  readonly platformId: string | null;
  /** The provider accounts; undefined for all accounts. */
  readonly accountIds?: readonly string[] | undefined;
}

/** The query parameters of the list of ledger accounts. */
export interface LedgerAccountsQuery extends ListQuery {
  /** The time before which entries are counted; undefined for the present balances. */
  readonly at?: string;
  readonly mode?: AccountMode;
}

/** The query parameters of the trial balance. */
export type TrialBalanceQuery = Pick<LedgerAccountsQuery, 'at' | 'mode'>;

/** The page size if a request for accounts has no limit. */
const ALL = Number.MAX_SAFE_INTEGER - 1;

const idOf = ({ providerAccountId, currency, account }: LedgerAccountKey): string =>
  `${providerAccountId}-${currency}-${account}`;

const accountsOf = ({
  providerAccountId,
  currency,
  ...balances
}: LedgerBalancesRow): readonly LedgerAccountAnswer[] =>
  LEDGER_ACCOUNTS.map((account) => ({
    id: idOf({ providerAccountId, currency, account }),
    providerAccountId,
    currency,
    account,
    balanceMinor: balances[account],
  }));

const balanceOf = (account: LedgerAccountName): string => `
  SELECT ${account}_minor::float8 AS balance FROM ledger_balances
   WHERE platform_id = $1 AND account_id = $2 AND currency = $3`;

/** The condition that selects the entries of a provider account in a currency. */
export const entriesOf = ({
  providerAccountId,
  currency,
}: Pick<LedgerAccountKey, 'providerAccountId' | 'currency'>): Scope => [
  ['account_id = ?', providerAccountId],
  ['currency = ?', currency],
];

const scopeOf = (list: List, { platformId, accountIds }: LedgerScope): Scope => [
  ...(platformId === null ? EVERYTHING : ofPlatform(list, platformId)),
  ...(accountIds === undefined ? [] : [['b.account_id = ANY (?)', accountIds] as const]),
];

const isName = (text: string): text is LedgerAccountName =>
  (LEDGER_ACCOUNTS as readonly string[]).includes(text);

/** The components of an id such as `acc_1-eur-provider`; null if it names no ledger account. */
export const ledgerAccountKeyOf = (id: string): LedgerAccountKey | null => {
  const [providerAccountId = '', currency = '', account = ''] = id.split('-');
  return isName(account) ? { providerAccountId, currency, account } : null;
};

/** Reads the projected ledger, which follows the payments and payouts with a short delay. */
@Injectable()
export class LedgerReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly lists: Lists,
  ) {}

  /** The accounts with their balances, sorted by provider account and currency. */
  async accounts(of: LedgerScope, query: LedgerAccountsQuery): Promise<LedgerAccountList> {
    const { at, ...rest } = query;
    const list = ledgerBalances(at);
    const page = await this.lists.page<LedgerBalancesRow>(list, scopeOf(list, of), rest, ALL);
    return { items: page.items.flatMap(accountsOf), nextCursor: page.nextCursor };
  }

  /** The sums of the balances by currency, of the same accounts as `accounts`. */
  async trialBalance(of: LedgerScope, { at, mode }: TrialBalanceQuery): Promise<TrialBalance> {
    const list = ledgerBalances(at);
    const { sql: source, values } = sourceOf(list, scopeOf(list, of), { mode });
    const sql = trialBalanceSql(list, source);
    const { rows } = await this.pool.query<TrialBalanceRow>(sql, values);
    return { items: rows.map(trialBalanceLine) };
  }

  /**
   * An account with a page of its entries, newest first; `usual` entries if the query has no limit.
   */
  async page(
    platformId: string,
    key: LedgerAccountKey,
    query: ListQuery,
    usual: number,
  ): Promise<LedgerAccountPage> {
    const [balanceMinor, page] = await Promise.all([
      this.balance(platformId, key),
      this.lists.page(ledgerEntries(key.account), entriesOf(key), query, usual),
    ]);
    return { id: idOf(key), ...key, balanceMinor, ...page };
  }

  /** All entries of an account, newest first. */
  async entries(key: LedgerAccountKey): Promise<AsyncIterable<readonly object[]>> {
    return this.lists.all(ledgerEntries(key.account), entriesOf(key), {});
  }

  private async balance(
    platformId: string,
    { providerAccountId, currency, account }: LedgerAccountKey,
  ): Promise<number> {
    const values = [platformId, providerAccountId, currency];
    const { rows } = await this.pool.query<{ balance: number }>(balanceOf(account), values);
    return rows[0]?.balance ?? 0;
  }
}
