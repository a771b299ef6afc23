import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock, type Instant, parseInstant } from '#kernel';
import type { Scope } from '#lists';
import type { LedgerEntryKind } from '#payout';
import { CLOCK } from '#platform';
import type { AccountMode } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { noSuch } from '../shared/tenancy.js';
import type { StatementAnswer, StatementBalance, StatementSum } from './statement-answer.js';

/** Which statement is read. */
export interface StatementKey {
  readonly merchantId: string;
  readonly mode: AccountMode;
  /** E.g. `2026-03`. */
  readonly month: string;
}

/** The sums of a merchant's ledger entries of one kind and currency in a month. */
interface KindSums {
  readonly kind: LedgerEntryKind;
  readonly count: number;
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly vatMinor: number;
  readonly netMinor: number;
}

interface CurrencyRow {
  readonly currency: string;
  readonly closingMinor: number;
  readonly kinds: readonly KindSums[];
}

const ACCOUNTS = `
  SELECT id FROM provider_accounts WHERE platform_id = $1 AND merchant_id = $2 AND mode = $3`;

/**
 * The closing balance is the present balance less the entries since then, because the months since
 * then are usually few.
 */
const BALANCES = `
  SELECT b.currency,
         (sum(b.provider_minor) - coalesce((
           SELECT sum(j.provider_minor) FROM ledger_journal j
            WHERE j.account_id = ANY ($1) AND j.currency = b.currency AND j.at >= $3), 0))::float8
           AS "closingMinor",
         coalesce((
           SELECT json_agg(k) FROM (
             SELECT j.kind, count(*)::int AS count,
                    sum(j.amount_minor)::float8 AS "amountMinor",
                    sum(j.fees_minor)::float8 AS "feesMinor",
                    sum(j.vat_minor)::float8 AS "vatMinor",
                    sum(j.provider_minor)::float8 AS "netMinor"
               FROM ledger_journal j
              WHERE j.account_id = ANY ($1) AND j.currency = b.currency
                AND j.at >= $2 AND j.at < $3
              GROUP BY j.kind) k), '[]') AS kinds
    FROM ledger_balances b WHERE b.platform_id = $4 AND b.account_id = ANY ($1)
   GROUP BY b.currency ORDER BY b.currency`;

const NOTHING: StatementSum = { count: 0, amountMinor: 0 };

/** The begin of the month and of the next month, in UTC. */
const periodOf = (month: string): readonly [from: Instant, to: Instant] => {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  return [parseInstant(from.toISOString()), parseInstant(to.toISOString())];
};

const balanceOf = ({ currency, closingMinor, kinds }: CurrencyRow): StatementBalance => {
  const of = (kind: LedgerEntryKind): StatementSum => {
    const { count, amountMinor } = kinds.find((one) => one.kind === kind) ?? NOTHING;
    return { count, amountMinor };
  };
  const total = (name: 'feesMinor' | 'vatMinor' | 'netMinor'): number =>
    kinds.reduce((sum, one) => sum + one[name], 0);
  return {
    currency,
    openingMinor: closingMinor - total('netMinor'),
    payments: of('payment'),
    refunds: of('refund'),
    disputes: of('dispute'),
    disputeReversals: of('dispute_reversal'),
    feesMinor: total('feesMinor'),
    vatMinor: total('vatMinor'),
    payouts: of('payout'),
    failedPayouts: of('payout_failed'),
    closingMinor,
  };
};

/** Reads the statements of merchants from the ledger. */
@Injectable()
export class StatementReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(caller: Caller, key: StatementKey): Promise<StatementAnswer> {
    const [from, to] = periodOf(key.month);
    const accounts = await this.accountsOf(caller, key);
    const values = [accounts, from, to, caller.platformId];
    const { rows } = await this.pool.query<CurrencyRow>(BALANCES, values);
    const isFinal = this.clock.now() >= to;
    return { ...key, from, to, isFinal, balances: rows.map(balanceOf) };
  }

  /** The conditions that select the lines of a statement. */
  async scopeOf(caller: Caller, key: StatementKey): Promise<Scope> {
    const [from, to] = periodOf(key.month);
    return [
      ['j.platform_id = ?', caller.platformId],
      ['j.account_id = ANY (?)', await this.accountsOf(caller, key)],
      ['j.at >= ?', from],
      ['j.at < ?', to],
    ];
  }

  /** The provider accounts of the merchant. Throws `Rejection('merchant_not_found')`. */
  private async accountsOf(
    { platformId }: Caller,
    { merchantId, mode }: StatementKey,
  ): Promise<readonly string[]> {
    const values = [platformId, merchantId, mode];
    const { rows } = await this.pool.query<{ id: string }>(ACCOUNTS, values);
    if (rows.length === 0) throw noSuch('merchant');
    return rows.map(({ id }) => id);
  }
}
