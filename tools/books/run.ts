import pg from 'pg';
import { HOUR_MS, parseInstant } from '#kernel';
import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, type StackOptions, startStack } from '../stack/stack.js';
import { resolveStuckRefunds } from '../stack/stuck-refunds.js';
import { failPayout } from './fail-payout.js';
import { type BookDay, type BookOrder, LAST_PLANNED_FAILURE, planDays, quietDay } from './plan.js';
import { addSecondMerchant, paymentsAtProvider } from './second-merchant.js';
import { sell } from './sell.js';

/**
 * The number of days, after the last orders, until all refunds are sent, all disputes are decided
 * and all payouts are paid.
 */
const REST_DAYS = 8;

/** The statuses of a refund that did not succeed at the provider. */
const NOT_MADE: ReadonlySet<string> = new Set(['rejected', 'not_honored', 'failed']);
/**
 * The number of further days on which a payout is made to fail, if none has failed after it was
 * sent.
 */
const MORE_FAILURE_DAYS = 3;
/** The key under which the run counts payouts that failed after we had recorded them as sent. */
export const FAILED_LATE = 'payout failed after it was sent';
const PATIENCE = { timeoutMs: 60_000, everyMs: 50 };

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
  /** The orders whose refunded amount differs from the requested amount. */
  readonly wrongRefunds: readonly string[];
  /** The second merchant's number of orders, and number of payments at the provider. */
  readonly second: { readonly sold: number; readonly atProvider: number };
}

/** An order that was sold, and that is refunded some days later. */
interface Sold {
  readonly id: string;
  readonly paymentId: string;
  readonly order: BookOrder;
  readonly day: number;
}

class Merchant {
  readonly counts: Record<string, number> = {};
  readonly pastUs: string[] = [];
  /** The orders whose refund the platform requested. */
  private readonly asked = new Set<Sold>();
  private readonly platform: Platform;
  private readonly toRefund: Sold[] = [];
  private readonly toRefundPastUs: { readonly id: string; readonly day: number }[] = [];
  /** The ids of payments whose dispute the merchant contests once we have observed the dispute. */
  private readonly toContest = new Set<string>();
  private placed = 0;

  constructor(
    private readonly stack: Stack,
    private readonly pool: pg.Pool,
  ) {
    const { apis, apiKey, merchantId } = stack;
    this.platform = new Platform(
      apis.map(({ url }) => url),
      apiKey,
      merchantId,
    );
  }

  async live(day: number, plan: BookDay): Promise<void> {
    const { sandbox } = this.stack;
    for (const fault of plan.faults) {
      await sandbox.addFault({ ...fault, count: 1 });
      this.count(`fault ${fault.kind}`);
    }
    for (const order of plan.orders) await this.sell(day, order);
    await this.refundOlderThan(day - 2);
    await this.contest();
    if (plan.isPaidPastUs) await this.payPastUs(day);
    await this.refundPastUs(day - 2);
    // On a busy machine, we may have recorded no payout as sent on the planned days, so the failure
    // is tried again.
    const isRetry = day > LAST_PLANNED_FAILURE && day <= LAST_PLANNED_FAILURE + MORE_FAILURE_DAYS;
    if (plan.failsPayouts || (isRetry && this.counts[FAILED_LATE] === undefined))
      await this.failNewestPayouts();
    await sandbox.advance('P1D');
  }

  async sell(day: number, order: BookOrder): Promise<void> {
    const { currency, method, fate } = order;
    this.placed += 1;
    const { id, paymentId } = await sell(this.platform, `books-${this.placed}`, order);
    this.count(`order ${method} ${fate} ${currency}`);
    if (REFUNDED.has(fate)) this.toRefund.push({ id, paymentId, order, day });
    if (CONTESTED.has(fate)) this.toContest.add(paymentId);
  }

  private async refundOlderThan(day: number): Promise<void> {
    while (this.toRefund[0] !== undefined && this.toRefund[0].day <= day) {
      const sold = this.toRefund[0];
      await (sold.order.fate === 'refunded_by_hand' ? this.refundByHand(sold) : this.refund(sold));
      this.toRefund.shift();
    }
  }

  private async refund(sold: Sold): Promise<void> {
    const { id, order } = sold;
    const isComplete = order.fate === 'refunded';
    const asked = isComplete ? {} : { amountMinor: order.refundMinor };
    const { status, body } = await this.platform.refund(id, asked);
    if (status !== 202) throw new Error(`${id} was not refunded: ${JSON.stringify(body)}`);
    this.asked.add(sold);
    this.count(isComplete ? 'complete refund' : 'partial refund');
  }

  private async refundByHand({ paymentId, order }: Sold): Promise<void> {
    const { rows } = await this.pool.query<{ attempt: string }>(
      `SELECT data ->> 'attemptId' AS attempt FROM events
        WHERE stream_type = 'payment' AND stream_id = $1 AND type = 'PaymentAuthorized'`,
      [paymentId],
    );
    const amount = (order.refundMinor / 100).toFixed(2);
    await this.stack.sandbox.byHand(rows[0]?.attempt ?? '', 'refund', { amount });
    this.count('refund by hand');
  }

  private async contest(): Promise<void> {
    const { rows } = await this.pool.query<{ paymentId: string; disputeId: string }>(
      `SELECT stream_id AS "paymentId", data ->> 'disputeId' AS "disputeId" FROM events
        WHERE stream_type = 'payment' AND stream_id = ANY ($1) AND type = 'DisputeObserved'`,
      [[...this.toContest]],
    );
    for (const { paymentId, disputeId } of rows) {
      const evidence = { text: 'It was delivered.' };
      await this.stack.sandbox.api('POST', `/v2/disputes/${disputeId}/evidence`, evidence);
      this.toContest.delete(paymentId);
      this.count('dispute contested');
    }
  }

  private async payPastUs(day: number): Promise<void> {
    const card = {
      number: CARDS.plain,
      exp_month: 12,
      exp_year: 2090,
      cvc: '123',
      name: 'Camille Martin',
    };
    const payment = await this.stack.sandbox.api('POST', '/v2/payments', {
      amount: 1_234,
      currency: 'eur',
      card,
    });
    const id = String(payment['id']);
    this.pastUs.push(id);
    this.toRefundPastUs.push({ id, day });
  }

  /** Refunds a part of the payments that another program made, as the merchant. */
  private async refundPastUs(day: number): Promise<void> {
    for (; (this.toRefundPastUs[0]?.day ?? day + 1) <= day; this.toRefundPastUs.shift()) {
      await this.stack.sandbox.byHand(this.toRefundPastUs[0]?.id ?? '', 'refund', {
        amount: '2.34',
      });
      this.count('refund of a payment made directly at the provider');
    }
  }

  /**
   * For each currency, fails the newest payout that is not sent yet, and the newest payout that is
   * sent. Only the failure of the latter changes our ledger.
   */
  private async failNewestPayouts(): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; isSent: boolean }>(
      `SELECT DISTINCT ON (currency, status = 'sent')
              payout_id AS id, status = 'sent' AS "isSent" FROM payout_list
        WHERE status IN ('pending', 'to_pay', 'sent') ORDER BY currency, status = 'sent', date DESC`,
    );
    for (const { id, isSent } of rows) {
      await failPayout(this.stack.sandbox.url, id);
      this.count(isSent ? FAILED_LATE : 'payout failed before it was sent');
    }
  }

  /**
   * Resolves refunds with an unknown result by the provider's state, as the runbook says. Requests
   * those again that the provider has not made.
   */
  async resolveRefunds(): Promise<void> {
    const resolved = await resolveStuckRefunds(this.stack);
    if (resolved === 0) return;
    this.counts['refund resolved by an operator'] = resolved;
    for (const sold of this.asked) {
      const { refunds } = await waitFor(async () => {
        const { payment } = await this.platform.read(sold.id);
        return payment?.unknownResults.includes('refund') === false ? payment : null;
      }, PATIENCE);
      if (refunds.some(({ status }) => !NOT_MADE.has(status))) continue;
      await this.refund(sold);
      this.count('refund requested again');
    }
  }

  /** The ids of orders that were refunded another amount than requested, with both amounts. */
  async wrongRefunds(): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const { id, order } of this.asked) {
      const { refundedMinor } = await this.platform.read(id);
      const askedMinor = order.fate === 'refunded' ? order.amountMinor : order.refundMinor;
      if (refundedMinor !== askedMinor) wrong.push(`${id}: ${refundedMinor} of ${askedMinor}`);
    }
    return wrong;
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

const REFUNDED: ReadonlySet<BookOrder['fate']> = new Set([
  'refunded',
  'partly_refunded',
  'refunded_by_hand',
]);

const CONTESTED: ReadonlySet<BookOrder['fate']> = new Set(['won', 'lost']);

/**
 * The time until the next noon (UTC). Orders are placed at noon, far from the cut-off and from
 * midnight, so that all orders of a day have the same date.
 */
const untilNoon = (now: string): string => {
  const ofDayMs = Date.parse(now) % (24 * HOUR_MS);
  const leftMs = (36 * HOUR_MS - ofDayMs) % (24 * HOUR_MS);
  return `PT${Math.floor(leftMs / 1_000) + 1}S`;
};

/** The order that the second merchant sells each day, just before the first merchant's orders. */
const ORDER_OF_SECOND: BookOrder = {
  amountMinor: 3_300,
  currency: 'eur',
  method: 'card',
  fate: 'kept',
  refundMinor: 0,
};

/** Runs the days on the whole product, then waits until everything has settled. */
export const runBooks = async (options: BooksOptions): Promise<BooksRun> => {
  const { servers, days, seed, say, logDir, startApp } = options;
  const stack = await startStack({
    ...servers,
    name: 'books',
    ...(logDir === undefined ? {} : { logDir }),
    ...(startApp === undefined ? {} : { startApp }),
    env: { API_REQUESTS_PER_SECOND: '1000000' },
  });
  const pool = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  try {
    const merchant = new Merchant(stack, pool);
    const second = await addSecondMerchant(stack);
    const { sandbox } = stack;
    await sandbox.advance(untilNoon(parseInstant(await sandbox.now())));
    const ofSecond = { sold: 0, atProvider: 0 };
    for (const [day, plan] of planDays(seed, days).entries()) {
      await sell(second.platform, `second-${day}`, ORDER_OF_SECOND);
      await merchant.live(day, plan);
      ofSecond.sold += 1;
      ofSecond.atProvider = await paymentsAtProvider(second);
      // Ends the days: a merchant cannot contest a dispute that is in the account of another.
      if (ofSecond.atProvider !== ofSecond.sold) break;
      if ((day + 1) % 5 === 0) say(`  ${day + 1} days, ${await sandbox.now()}`);
    }
    await sandbox.clearFaults();
    const quiet = quietDay(seed);
    const restDays = ofSecond.atProvider === ofSecond.sold ? REST_DAYS : 0;
    for (let rest = 0; rest < restDays; rest += 1) {
      await merchant.live(days + rest, quiet);
      if (rest === 0) await merchant.resolveRefunds();
    }
    const { counts, pastUs } = merchant;
    return {
      stack,
      pool,
      counts,
      pastUs,
      wrongRefunds: await merchant.wrongRefunds(),
      second: ofSecond,
    };
  } catch (error) {
    await pool.end();
    await stack.stop();
    throw error;
  }
};
