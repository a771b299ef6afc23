import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Caller } from '../auth/key-verifier.js';
import { EXPORT_ROWS, pagesOf } from '../shared/export.js';
import { isInstant, PAGE, type PageFilter, pageOf, positionOf } from '../shared/page.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import {
  LEDGER_ACCOUNTS, type LedgerAccountAnswer, type LedgerAccountName, type LedgerAccountPage,
  type LedgerEntryAnswer,
} from './ledger-answer.js';

/** What an account's id names. */
interface AccountKey {
  readonly providerAccountId: string;
  readonly currency: string;
  readonly account: LedgerAccountName;
}

type Sums = Readonly<Record<LedgerAccountName, number>> & {
  readonly providerAccountId: string;
  readonly currency: string;
};

interface EntryRow extends Omit<LedgerEntryAnswer, 'at'> {
  readonly at: Date;
}

export const BALANCES = `
  SELECT account_id AS "providerAccountId", currency,
         ${LEDGER_ACCOUNTS.map((name) => `${name}_minor::float8 AS ${name}`).join(', ')}
    FROM ledger_balances WHERE platform_id = $1 ORDER BY account_id, currency`;

const balanceOf = (account: LedgerAccountName): string => `
  SELECT ${account}_minor::float8 AS balance FROM ledger_balances
   WHERE platform_id = $1 AND account_id = $2 AND currency = $3`;

/** What an account has no part in is left out: few accounts have entries of every payment. */
export const entriesOf = (account: LedgerAccountName): string => `
  SELECT event_id AS "eventId", kind, object_id AS "objectId",
         ${account}_minor::float8 AS "amountMinor", at
    FROM ledger_journal
   WHERE account_id = $1 AND currency = $2 AND ${account}_minor <> 0
     AND ($3::timestamptz IS NULL OR (at, event_id) < ($3, $4::uuid))
   ORDER BY at DESC, event_id DESC LIMIT $5`;

const isName = (text: string): text is LedgerAccountName =>
  (LEDGER_ACCOUNTS as readonly string[]).includes(text);

const entryOf = ({ at, ...row }: EntryRow): LedgerEntryAnswer => ({ ...row, at: at.toISOString() });

/** The ledger as it is projected: it follows the payments' and payouts' own state a moment later. */
@Injectable()
export class LedgerReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly tenancy: Tenancy,
  ) {}

  async accounts({ platformId }: Caller): Promise<readonly LedgerAccountAnswer[]> {
    const { rows } = await this.pool.query<Sums>(BALANCES, [platformId]);
    return rows.flatMap(({ providerAccountId, currency, ...sums }) =>
      LEDGER_ACCOUNTS.map((account) => ({
        id: `${providerAccountId}-${currency}-${account}`, providerAccountId, currency, account,
        balanceMinor: sums[account],
      })));
  }

  async page(caller: Caller, id: string, filter: PageFilter): Promise<LedgerAccountPage> {
    const key = await this.keyOf(caller, id);
    const { limit = PAGE } = filter;
    const position = positionOf(filter.cursor, isInstant);
    const [balance, rows] = await Promise.all([
      this.balance(caller, key), this.after(key, position, limit + 1),
    ]);
    const page = pageOf(rows, limit, entryOf, ({ at, eventId }) => [at.toISOString(), eventId]);
    return { id, ...key, balanceMinor: balance, ...page };
  }

  async entries(
    caller: Caller, id: string,
  ): Promise<AsyncIterable<readonly LedgerEntryAnswer[]>> {
    const key = await this.keyOf(caller, id);
    return pagesOf<LedgerEntryAnswer>(async (after) => {
      const position = [after?.at ?? null, after?.eventId ?? null] as const;
      return (await this.after(key, position, EXPORT_ROWS)).map(entryOf);
    });
  }

  private async keyOf(caller: Caller, id: string): Promise<AccountKey> {
    const [providerAccountId = '', currency = '', account = ''] = id.split('-');
    if (!isName(account)) throw noSuch('ledger_account');
    await this.tenancy.ledgerOf(caller, providerAccountId);
    return { providerAccountId, currency, account };
  }

  private async balance(
    { platformId }: Caller, { providerAccountId, currency, account }: AccountKey,
  ): Promise<number> {
    const values = [platformId, providerAccountId, currency];
    const { rows } = await this.pool.query<{ balance: number }>(balanceOf(account), values);
    return rows[0]?.balance ?? 0;
  }

  private async after(
    { providerAccountId, currency, account }: AccountKey,
    position: readonly [string | null, string | null], limit: number,
  ): Promise<readonly EntryRow[]> {
    const values = [providerAccountId, currency, ...position, limit];
    return (await this.pool.query<EntryRow>(entriesOf(account), values)).rows;
  }
}
