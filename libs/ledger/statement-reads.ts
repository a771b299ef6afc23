import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock, type Instant, parseInstant, plusMs } from '#kernel';
import { type ListQuery, Lists, type Page, type Scope } from '#lists';
import { CORRECTION_KINDS, type LedgerEntryKind, STATEMENT_LINES } from '#payout';
import { CLOCK, firstRow } from '#platform';
import { cursorNameOf } from '#projections';
import type { AccountMode } from '#psp';
import type { StatementAnswer, StatementBalance, StatementSum } from './statement-answer.js';
import { type Pages, type StatementLineRow, withBalances } from './statement-file.js';

/** The parameters that identify a statement. */
export interface StatementKey {
  readonly merchantId: string;
  readonly mode: AccountMode;
  /** The month, e.g. `2026-03`. */
  readonly month: string;
}

/** A statement with the ids of the merchant's provider accounts in the mode. */
export interface StatementOf extends StatementKey {
  /** The platform of the accounts; null if the platform is not restricted. */
  readonly platformId: string | null;
  readonly accountIds: readonly string[];
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

/**
 * The closing balance is the present balance less the entries after the month, because few months
 * have usually passed since then.
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
    FROM ledger_balances b WHERE ($4::text IS NULL OR b.platform_id = $4) AND b.account_id = ANY ($1)
   GROUP BY b.currency ORDER BY b.currency`;

/**
 * How long after the end of a month an entry of that month may still be booked: the clocks of
 * processes differ, and a commit may have begun before the end.
 */
const LATE_MS = 5 * 60_000;

const LEDGER_CURSOR = cursorNameOf({ name: 'ledger_streams' });

const ofCursor = (column: string, start: string): string =>
  `coalesce((SELECT ${column} FROM public.log_cursors WHERE name = '${LEDGER_CURSOR}'), ${start})`;

/**
 * Whether the ledger contains every event before the time $1. Only the events after the ledger's
 * cursor are read, by the index of the log. The tables are named with their schema, so that a read
 * for a user with access to only some platforms has the same result: it shows no row.
 */
const IS_BOOKED = `
  SELECT NOT EXISTS (SELECT FROM public.blocked_streams WHERE reader = '${LEDGER_CURSOR}')
     AND NOT EXISTS (
       SELECT FROM public.events
        WHERE (epoch, transaction_id, position) >
              (${ofCursor('epoch', '0')}, ${ofCursor('transaction_id', `'0'::xid8`)},
               ${ofCursor('position', '0')})
          AND stream_type IN ('payment', 'payout')
          AND (data ->> 'at')::timestamptz < $1) AS "isBooked"`;

const NOTHING: StatementSum = { count: 0, amountMinor: 0 };

/** The beginning of the month and of the next month, in UTC. */
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
  const total = (name: 'feesMinor' | 'vatMinor' | 'netMinor', of = kinds): number =>
    of.reduce((sum, one) => sum + one[name], 0);
  const corrections = kinds.filter(({ kind }) =>
    (CORRECTION_KINDS as readonly string[]).includes(kind),
  );
  return {
    currency,
    openingMinor: closingMinor - total('netMinor'),
    payments: of('payment'),
    refunds: of('refund'),
    disputes: of('dispute'),
    disputeReversals: of('dispute_reversal'),
    correctionsMinor: total('netMinor', corrections) + total('feesMinor', corrections),
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
    private readonly lists: Lists,
  ) {}

  /** The statement; with `currency` only the balance in this currency. */
  async read(of: StatementOf, currency?: string): Promise<StatementAnswer> {
    const { platformId, accountIds, ...key } = of;
    const [from, to] = periodOf(key.month);
    // Whether the ledger is complete is read before the balances. If it is complete, the balances
    // read afterwards contain every entry.
    const isFinal = this.clock.now() >= plusMs(to, LATE_MS) && (await this.isBooked(to));
    const values = [accountIds, from, to, platformId];
    const { rows } = await this.pool.query<CurrencyRow>(BALANCES, values);
    const shown = rows.filter((row) => currency === undefined || row.currency === currency);
    return { ...key, from, to, isFinal, balances: shown.map(balanceOf) };
  }

  private async isBooked(to: Instant): Promise<boolean> {
    const row = await firstRow<{ isBooked: boolean }>(this.pool, IS_BOOKED, [to]);
    return row?.isBooked === true;
  }

  /** A page of the lines, oldest first; `usual` lines if the query has no limit. */
  lines(of: StatementOf, query: ListQuery, usual: number): Promise<Page> {
    return this.lists.page(STATEMENT_LINES, statementScope(of), query, usual);
  }

  /** All lines, oldest first. */
  all(of: StatementOf, query: ListQuery): Promise<Pages<StatementLineRow>> {
    return this.lists.all<StatementLineRow>(STATEMENT_LINES, statementScope(of), query);
  }

  /**
   * All lines for a spreadsheet, with balances and totals. With a filter by currency, the file
   * contains the balances of this currency only; with a filter by kind, it contains no balances.
   */
  async file(of: StatementOf, query: ListQuery): Promise<Pages<object>> {
    const { currency, kind } = query as { readonly currency?: string; readonly kind?: unknown };
    const lines = await this.all(of, query);
    return kind === undefined ? withBalances(await this.read(of, currency), lines) : lines;
  }
}

/** The conditions that select the lines of a statement. */
const statementScope = ({ platformId, accountIds, month }: StatementOf): Scope => {
  const [from, to] = periodOf(month);
  return [
    ...(platformId === null ? [] : [['j.platform_id = ?', platformId] as const]),
    ['j.account_id = ANY (?)', accountIds],
    ['j.at >= ?', from],
    ['j.at < ?', to],
  ];
};
