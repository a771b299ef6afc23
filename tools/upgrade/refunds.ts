import type { Pool } from 'pg';
import type { CheckedResult } from '../chaos/checks/index.js';
import type { Platform } from '../stack/platform.js';

/** The amount of each refund, which is less than that of any order. */
const AMOUNT_MINOR = 50;

/** Refunds each captured order once, and compares the refunds with those at the provider. */
export class Refunds {
  /** The id of the refunded payment, by order id. */
  private readonly payments = new Map<string, string>();

  constructor(private readonly platform: Platform) {}

  /** Refunds the paid orders that have no refund yet; returns their number. */
  async request(orderIds: readonly string[]): Promise<number> {
    let requested = 0;
    for (const orderId of orderIds) {
      if (this.payments.has(orderId)) continue;
      const { status, payment } = await this.platform.read(orderId);
      if (status !== 'paid' || payment === null) continue;
      const answer = await this.platform.refund(orderId, { amountMinor: AMOUNT_MINOR });
      if (answer.status !== 202) continue;
      this.payments.set(orderId, payment.id);
      requested += 1;
    }
    return requested;
  }

  /** Checks that the provider has made each requested refund once, and no other refund. */
  async check(sandbox: Pool): Promise<CheckedResult> {
    const { rows } = await sandbox.query<{ paymentId: string; amounts: number[] }>(
      `SELECT i.order_id AS "paymentId", array_agg(r.amount::int) AS amounts
         FROM refunds r
         JOIN payments p ON p.id = r.payment_id
         JOIN payment_intents i ON i.id = p.intent_id
        WHERE r.status IN ('to_refund', 'refund_sent', 'refunded')
        GROUP BY i.order_id`,
    );
    const made = new Map(rows.map(({ paymentId, amounts }) => [paymentId, amounts.join()]));
    const requested = new Set(this.payments.values());
    const broken = [...requested, ...made.keys()]
      .filter((id) => made.get(id) !== (requested.has(id) ? String(AMOUNT_MINOR) : undefined))
      .map((id) => ({ id, why: `requested: ${requested.has(id)}, made: ${made.get(id)}` }));
    const name = 'each requested refund is made once';
    const missing = requested.size > 0 ? [] : [{ id: 'refunds', why: 'none was requested' }];
    return {
      invariant: 2,
      name,
      figure: `${requested.size} refunds`,
      broken: [...broken, ...missing],
    };
  }
}
