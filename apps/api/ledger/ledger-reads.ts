import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ListQuery, Lists, ofPlatform, type Scope } from '#lists';
import {
  LEDGER_ACCOUNTS,
  type LedgerAccountName,
  ledgerBalances,
  type LedgerBalancesRow,
  ledgerEntries,
} from '#payout';
import type { AccountMode } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { PAGING } from '../shared/list-controllers.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import type { LedgerAccountAnswer, LedgerAccountList, LedgerAccountPage } from './ledger-answer.js';

/** The components of a ledger account's id. */
interface AccountKey {
  readonly providerAccountId: string;
  readonly currency: string;
  readonly account: LedgerAccountName;
}

/** Which accounts of the ledger are listed. */
export interface AccountsQuery extends ListQuery {
  /** The balances before this time; undefined: the present balances. */
  readonly at?: string;
  readonly merchantId?: string;
  readonly mode?: AccountMode;
}

/** The limit of a page of accounts whose request has no limit. */
const ALL = Number.MAX_SAFE_INTEGER - 1;

const accountsOf = ({
  providerAccountId,
  currency,
  ...balances
}: LedgerBalancesRow): readonly LedgerAccountAnswer[] =>
  LEDGER_ACCOUNTS.map((account) => ({
    id: `${providerAccountId}-${currency}-${account}`,
    providerAccountId,
    currency,
    account,
    balanceMinor: balances[account],
  }));

const balanceOf = (account: LedgerAccountName): string => `
  SELECT ${account}_minor::float8 AS balance FROM ledger_balances
   WHERE platform_id = $1 AND account_id = $2 AND currency = $3`;

export const entriesOf = ({
  providerAccountId,
  currency,
}: Pick<AccountKey, 'providerAccountId' | 'currency'>): Scope => [
  ['account_id = ?', providerAccountId],
  ['currency = ?', currency],
];

const isName = (text: string): text is LedgerAccountName =>
  (LEDGER_ACCOUNTS as readonly string[]).includes(text);

/** Reads the projected ledger, which follows the payments and payouts with a short delay. */
@Injectable()
export class LedgerReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly tenancy: Tenancy,
    private readonly lists: Lists,
  ) {}

  /** Throws `Rejection('merchant_not_found')` for a filter by a merchant without accounts. */
  async accounts(caller: Caller, query: AccountsQuery): Promise<LedgerAccountList> {
    const { at, merchantId, ...rest } = query;
    const list = ledgerBalances(at);
    const scope = [...ofPlatform(list, caller.platformId)];
    if (merchantId !== undefined) {
      const ids = await this.tenancy.accountIdsOf(caller, merchantId, query.mode ?? null);
      scope.push(['b.account_id = ANY (?)', ids]);
    }
    const page = await this.lists.page<LedgerBalancesRow>(list, scope, rest, ALL);
    return { items: page.items.flatMap(accountsOf), nextCursor: page.nextCursor };
  }

  async page(caller: Caller, id: string, query: ListQuery): Promise<LedgerAccountPage> {
    const key = await this.keyOf(caller, id);
    const [balance, page] = await Promise.all([
      this.balance(caller, key),
      this.lists.page(ledgerEntries(key.account), entriesOf(key), query, PAGING.usual),
    ]);
    return { id, ...key, balanceMinor: balance, ...page };
  }

  async entries(caller: Caller, id: string): Promise<AsyncIterable<readonly object[]>> {
    const key = await this.keyOf(caller, id);
    return this.lists.all(ledgerEntries(key.account), entriesOf(key), {});
  }

  private async keyOf(caller: Caller, id: string): Promise<AccountKey> {
    const [providerAccountId = '', currency = '', account = ''] = id.split('-');
    if (!isName(account)) throw noSuch('ledger_account');
    await this.tenancy.account(caller, providerAccountId, 'ledger_account');
    return { providerAccountId, currency, account };
  }

  private async balance(
    { platformId }: Caller,
    { providerAccountId, currency, account }: AccountKey,
  ): Promise<number> {
    const values = [platformId, providerAccountId, currency];
    const { rows } = await this.pool.query<{ balance: number }>(balanceOf(account), values);
    return rows[0]?.balance ?? 0;
  }
}
