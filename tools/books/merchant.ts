import type pg from 'pg';
import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import type { Platform } from '../stack/platform.js';
import type { Sandbox } from '../stack/sandbox.js';
import type { BookDay, BookOrder } from './plan.js';
import { sell } from './sell.js';

/** The statuses of a refund that did not succeed at the provider. */
const NOT_MADE: ReadonlySet<string> = new Set(['rejected', 'not_honored', 'failed']);
const PATIENCE = { timeoutMs: 60_000, everyMs: 50 };

const REFUNDED: ReadonlySet<BookOrder['fate']> = new Set([
  'refunded',
  'partly_refunded',
  'refunded_by_hand',
]);

const CONTESTED: ReadonlySet<BookOrder['fate']> = new Set(['won', 'lost']);

export interface MerchantParts {
  /** The references of the merchant's orders begin with this name. */
  readonly name: string;
  readonly platform: Platform;
  /** The provider's API with the key of the merchant's account. */
  readonly provider: Sandbox;
  /** The orchestrator's database. */
  readonly pool: pg.Pool;
}

/** An order that was sold, and that is refunded some days later. */
interface Sold {
  readonly id: string;
  readonly paymentId: string;
  readonly order: BookOrder;
  readonly day: number;
}

/** A merchant who sells, refunds and contests disputes, and what happened to the orders. */
export class Merchant {
  readonly counts: Record<string, number> = {};
  readonly pastUs: string[] = [];
  /** The orders whose refund the platform requested. */
  private readonly asked = new Set<Sold>();
  private readonly toRefund: Sold[] = [];
  private readonly toRefundPastUs: { readonly id: string; readonly day: number }[] = [];
  /** The ids of payments whose dispute the merchant contests once we have observed the dispute. */
  private readonly toContest = new Set<string>();
  private placed = 0;

  constructor(private readonly parts: MerchantParts) {}

  get sold(): number {
    return this.placed;
  }

  async live(day: number, { orders, isPaidPastUs }: Pick<BookDay, 'orders' | 'isPaidPastUs'>) {
    for (const order of orders) await this.sell(day, order);
    await this.refundOlderThan(day - 2);
    await this.contest();
    if (isPaidPastUs) await this.payPastUs(day);
    await this.refundPastUs(day - 2);
  }

  private async sell(day: number, order: BookOrder): Promise<void> {
    const { currency, method, fate } = order;
    this.placed += 1;
    const { name, platform } = this.parts;
    const { id, paymentId } = await sell(platform, `${name}-${this.placed}`, order);
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
    const { status, body } = await this.parts.platform.refund(id, asked);
    if (status !== 202) throw new Error(`${id} was not refunded: ${JSON.stringify(body)}`);
    this.asked.add(sold);
    this.count(isComplete ? 'complete refund' : 'partial refund');
  }

  private async refundByHand({ paymentId, order }: Sold): Promise<void> {
    const { rows } = await this.parts.pool.query<{ attempt: string }>(
      `SELECT data ->> 'attemptId' AS attempt FROM events
        WHERE stream_type = 'payment' AND stream_id = $1 AND type = 'PaymentAuthorized'`,
      [paymentId],
    );
    const amount = (order.refundMinor / 100).toFixed(2);
    await this.parts.provider.byHand(rows[0]?.attempt ?? '', 'refund', { amount });
    this.count('refund by hand');
  }

  private async contest(): Promise<void> {
    const { rows } = await this.parts.pool.query<{ paymentId: string; disputeId: string }>(
      `SELECT stream_id AS "paymentId", data ->> 'disputeId' AS "disputeId" FROM events
        WHERE stream_type = 'payment' AND stream_id = ANY ($1) AND type = 'DisputeObserved'`,
      [[...this.toContest]],
    );
    for (const { paymentId, disputeId } of rows) {
      const evidence = { text: 'It was delivered.' };
      await this.parts.provider.api('POST', `/v2/disputes/${disputeId}/evidence`, evidence);
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
    const payment = await this.parts.provider.api('POST', '/v2/payments', {
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
      await this.parts.provider.byHand(this.toRefundPastUs[0]?.id ?? '', 'refund', {
        amount: '2.34',
      });
      this.count('refund of a payment made directly at the provider');
    }
  }

  /** Requests those refunds again that the provider has not made. */
  async refundAgain(): Promise<void> {
    for (const sold of this.asked) {
      const { refunds } = await waitFor(async () => {
        const { payment } = await this.parts.platform.read(sold.id);
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
      const { refundedMinor } = await this.parts.platform.read(id);
      const askedMinor = order.fate === 'refunded' ? order.amountMinor : order.refundMinor;
      if (refundedMinor !== askedMinor) wrong.push(`${id}: ${refundedMinor} of ${askedMinor}`);
    }
    return wrong;
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
