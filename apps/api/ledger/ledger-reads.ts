import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ListQuery, Lists, type Scope } from '#lists';
import { LEDGER_ACCOUNTS, type LedgerAccountName, ledgerEntries } from '#payout';
import type { Caller } from '../auth/key-verifier.js';
import { PAGING } from '../shared/list-controllers.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import type { LedgerAccountAnswer, LedgerAccountPage } from './ledger-answer.js';

/** The components of a ledger account's id. */
interface AccountKey {
  readonly providerAccountId: string;
  readonly currency: string;
  readonly account: LedgerAccountName;
}

type Sums = Readonly<Record<LedgerAccountName, number>> & {
  readonly providerAccountId: string;
  readonly currency: string;
};

const columns = (column: (name: LedgerAccountName) => string): string =>
  LEDGER_ACCOUNTS.map(column).join(', ');

export const BALANCES = `
  SELECT account_id AS "providerAccountId", currency,
         ${columns((name) => `${name}_minor::float8 AS ${name}`)}
    FROM ledger_balances WHERE platform_id = $1 ORDER BY account_id, currency`;

/**
 * The balances at a time: the present balances less the entries since then, because these are
 * usually fewer than the entries before.
 */
const BALANCES_AT = `
  SELECT b.account_id AS "providerAccountId", b.currency,
         ${columns((name) => `(b.${name}_minor - later.${name})::float8 AS ${name}`)}
    FROM ledger_balances b
   CROSS JOIN LATERAL (
     SELECT ${columns((name) => `coalesce(sum(j.${name}_minor), 0) AS ${name}`)}
       FROM ledger_journal j
      WHERE j.account_id = b.account_id AND j.currency = b.currency AND j.at >= $2) later
   WHERE b.platform_id = $1 ORDER BY b.account_id, b.currency`;

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

  /** The balances before `at`; undefined: the present balances. */
  async accounts(
    { platformId }: Caller,
    at: string | undefined,
  ): Promise<readonly LedgerAccountAnswer[]> {
    const { rows } =
      at === undefined
        ? await this.pool.query<Sums>(BALANCES, [platformId])
        : await this.pool.query<Sums>(BALANCES_AT, [platformId, at]);
    return rows.flatMap(({ providerAccountId, currency, ...sums }) =>
      LEDGER_ACCOUNTS.map((account) => ({
        id: `${providerAccountId}-${currency}-${account}`,
        providerAccountId,
        currency,
        account,
        balanceMinor: sums[account],
      })),
    );
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
