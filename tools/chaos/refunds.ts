import type { ClientBase } from 'pg';
import { assert } from '#kernel';
import type { Platform } from '../stack/platform.js';
import { providerRefunds, type RefundFact } from './facts.js';

/** The amount of each refund, which is less than that of any order. */
const AMOUNT_MINOR = 50;

/** Refunds a part of each captured order, once. */
export class Refunds {
  /** The id of the refunded payment, by order id. */
  private readonly payments = new Map<string, string>();

  constructor(private readonly platform: Platform) {}

  get requested(): readonly RefundFact[] {
    return [...this.payments.values()].map((paymentId) => ({
      paymentId,
      amountMinor: AMOUNT_MINOR,
    }));
  }

  /**
   * Refunds at most `most` of the captured orders that have no refund yet; returns their number. A
   * direct debit is paid before it is captured, and until then its bank may return it, so that no
   * refund can be made.
   */
  async request(orderIds: readonly string[], most = Infinity): Promise<number> {
    let requested = 0;
    for (const orderId of orderIds) {
      if (requested >= most) break;
      if (this.payments.has(orderId)) continue;
      const { payment } = await this.platform.read(orderId);
      if (payment?.status !== 'captured') continue;
      const answer = await this.platform.refund(orderId, { amountMinor: AMOUNT_MINOR });
      if (answer.status !== 202) continue;
      this.payments.set(orderId, payment.id);
      requested += 1;
    }
    return requested;
  }

  /**
   * Requests again each refund of which the provider shows none; returns their number. Call it when
   * no earlier request can be executed any more.
   */
  async requestMissing(sandbox: Pick<ClientBase, 'query'>): Promise<number> {
    const made = new Set((await providerRefunds(sandbox)).map(({ paymentId }) => paymentId));
    let requested = 0;
    for (const [orderId, paymentId] of this.payments) {
      if (made.has(paymentId)) continue;
      const { status, body } = await this.platform.refund(orderId, { amountMinor: AMOUNT_MINOR });
      assert(status === 202, `the refund of ${orderId} is accepted: ${JSON.stringify(body)}`);
      requested += 1;
    }
    return requested;
  }
}
