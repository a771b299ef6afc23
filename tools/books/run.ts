import pg from 'pg';
import { HOUR_MS, parseInstant } from '#kernel';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, type StackOptions, startStack } from '../stack/stack.js';
import { resolveStuckRefunds } from '../stack/stuck-refunds.js';
import { failPayout } from './fail-payout.js';
import { Merchant } from './merchant.js';
import { type BookDay, LAST_PLANNED_FAILURE, ordersOfSecond, planDays, quietDay } from './plan.js';
import { addSecondMerchant, paymentsAtProvider, type SecondMerchant } from './second-merchant.js';
import { type SettledLines, settleUnknownLines } from './unknown-lines.js';

/**
 * The number of days, after the last orders, until all refunds are sent, all disputes are decided
 * and all payouts are paid.
 */
const REST_DAYS = 8;
/** The number of the last of these days after operators have accepted the unknown lines. */
const SETTLED_BEFORE_DAYS = 3;

/**
 * The number of further days on which a payout is made to fail, if none has failed after it was
 * sent.
 */
const MORE_FAILURE_DAYS = 3;
/** The key under which the run counts payouts that failed after we had recorded them as sent. */
export const FAILED_LATE = 'payout failed after it was sent';

export interface BooksOptions {
  readonly servers: Servers;
  readonly days: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly logDir?: string;
  readonly startApp?: StackOptions['startApp'];
}

export interface BooksRun {
  readonly stack: Stack;
  readonly pool: pg.Pool;
  readonly counts: Readonly<Record<string, number>>;
  /** The ids of payments that another program made directly at the provider. */
  readonly pastUs: readonly string[];
  /** The payout lines of these payments and their refunds that operators accepted or closed. */
  readonly settled: SettledLines;
  /** The orders whose refunded amount differs from the requested amount. */
  readonly wrongRefunds: readonly string[];
  /**
   * How many orders the second merchant sold, how many payments the provider has in the merchant's
   * account, and how often each kind of event happened to the orders.
   */
  readonly second: {
    readonly sold: number;
    readonly atProvider: number;
    readonly counts: Readonly<Record<string, number>>;
  };
}

/**
 * For each provider account and currency, fails the newest payout that is not sent yet, and the
 * newest payout that is sent. Only the failure of the latter changes our ledger.
 */
const failNewestPayouts = async (
  { sandbox }: Stack,
  pool: pg.Pool,
  count: (what: string) => void,
): Promise<void> => {
  const { rows } = await pool.query<{ id: string; isSent: boolean }>(
    `SELECT DISTINCT ON (account_id, currency, status = 'sent')
            payout_id AS id, status = 'sent' AS "isSent" FROM payout_list
      WHERE status IN ('pending', 'to_pay', 'sent')
      ORDER BY account_id, currency, status = 'sent', date DESC`,
  );
  for (const { id, isSent } of rows) {
    await failPayout(sandbox.url, id);
    count(isSent ? FAILED_LATE : 'payout failed before it was sent');
  }
};

/**
 * The time until the next noon (UTC). Orders are placed at noon, far from the cut-off and from
 * midnight, so that all orders of a day have the same date.
 */
const untilNoon = (now: string): string => {
  const ofDayMs = Date.parse(now) % (24 * HOUR_MS);
  const leftMs = (36 * HOUR_MS - ofDayMs) % (24 * HOUR_MS);
  return `PT${Math.floor(leftMs / 1_000) + 1}S`;
};

/** Runs the days of both merchants, with the planned faults and failures of payouts. */
class Days {
  readonly counts: Record<string, number> = {};
  readonly first: Merchant;
  readonly second: Merchant;
  /** The second merchant's number of payments at the provider after the last day. */
  atProvider = 0;

  constructor(
    private readonly stack: Stack,
    private readonly pool: pg.Pool,
    private readonly ofSecond: SecondMerchant,
  ) {
    const { sandbox: provider } = stack;
    this.first = new Merchant({ name: 'books', platform: Platform.of(stack), provider, pool });
    this.second = new Merchant({ name: 'second', ...ofSecond, pool });
  }

  /** Whether exactly the second merchant's payments are in that merchant's provider account. */
  get areApart(): boolean {
    return this.atProvider === this.second.sold;
  }

  async live(day: number, plan: BookDay): Promise<void> {
    const { sandbox } = this.stack;
    await this.second.live(day, { orders: ordersOfSecond(day), isPaidPastUs: false });
    for (const fault of plan.faults) {
      await sandbox.addFault({ ...fault, count: 1 });
      this.count(`fault ${fault.kind}`);
    }
    await this.first.live(day, plan);
    // On a busy machine, we may have recorded no payout as sent on the planned days, so the failure
    // is tried again.
    const isRetry = day > LAST_PLANNED_FAILURE && day <= LAST_PLANNED_FAILURE + MORE_FAILURE_DAYS;
    if (plan.failsPayouts || (isRetry && this.counts[FAILED_LATE] === undefined))
      await failNewestPayouts(this.stack, this.pool, (what) => this.count(what));
    await sandbox.advance('P1D');
    this.atProvider = await paymentsAtProvider(this.ofSecond);
  }

  /**
   * Resolves refunds with an unknown result by the provider's state, as the runbook says. Requests
   * those again that the provider has not made.
   */
  async resolveRefunds(): Promise<void> {
    const resolved = await resolveStuckRefunds(this.stack);
    if (resolved === 0) return;
    this.counts['refund resolved by an operator'] = resolved;
    for (const merchant of [this.first, this.second]) await merchant.refundAgain();
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** Runs the days on the whole product, then waits until everything has settled. */
export const runBooks = async (options: BooksOptions): Promise<BooksRun> => {
  const { servers, days: count, seed, say, logDir, startApp } = options;
  const stack = await startStack({
    ...servers,
    name: 'books',
    ...(logDir === undefined ? {} : { logDir }),
    ...(startApp === undefined ? {} : { startApp }),
    env: { API_REQUESTS_PER_SECOND: '1000000' },
  });
  const pool = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  try {
    const { sandbox } = stack;
    const days = new Days(stack, pool, await addSecondMerchant(stack));
    await sandbox.advance(untilNoon(parseInstant(await sandbox.now())));
    for (const [day, plan] of planDays(seed, count).entries()) {
      await days.live(day, plan);
      // Stops if payments are in the wrong provider account, because a merchant cannot contest a
      // dispute in the account of another merchant.
      if (!days.areApart) break;
      if ((day + 1) % 5 === 0) say(`  ${day + 1} days, ${await sandbox.now()}`);
    }
    await sandbox.clearFaults();
    const quiet = quietDay(seed);
    const restDays = days.areApart ? REST_DAYS : 0;
    let settled: SettledLines = { accepted: [], closed: [] };
    for (let rest = 0; rest < restDays; rest += 1) {
      await days.live(count + rest, quiet);
      if (rest === 0) await days.resolveRefunds();
      // The comparison of the last days closes the breaks of the accepted lines.
      if (rest === restDays - SETTLED_BEFORE_DAYS) {
        settled = await settleUnknownLines(pool, parseInstant(await sandbox.now()));
      }
    }
    const { first, second, atProvider } = days;
    return {
      stack,
      pool,
      counts: { ...first.counts, ...days.counts },
      pastUs: first.pastUs,
      settled,
      wrongRefunds: [...(await first.wrongRefunds()), ...(await second.wrongRefunds())],
      second: { sold: second.sold, atProvider, counts: second.counts },
    };
  } catch (error) {
    await pool.end();
    await stack.stop();
    throw error;
  }
};
