import { assert } from '#kernel';
import type { Platform } from '../stack/platform.js';
import { acknowledgedRefund, type Acknowledgement } from './acknowledged.js';
import type { RefundFact } from './facts.js';

/** The amount of each refund, which is less than that of any order. */
const AMOUNT_MINOR = 50;

/** A refund that was answered with 202. */
interface Requested {
  readonly acknowledged: Acknowledgement;
  readonly paymentId: string;
  readonly amountMinor: number;
  /** Whether an operator has settled it as not made, and it was requested again. */
  isReplaced: boolean;
}

/** Refunds a part of each captured order, once. */
export class Refunds {
  private readonly made: Requested[] = [];
  private readonly done = new Set<string>();

  constructor(private readonly platform: Platform) {}

  get acknowledged(): readonly Acknowledgement[] {
    return this.made.map(({ acknowledged }) => acknowledged);
  }

  /** The refunds that the provider must make. */
  get requested(): readonly RefundFact[] {
    return this.made
      .filter(({ isReplaced }) => !isReplaced)
      .map(({ paymentId, amountMinor }) => ({ paymentId, amountMinor }));
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
      if (this.done.has(orderId)) continue;
      const { payment } = await this.platform.read(orderId);
      if (payment?.status !== 'captured') continue;
      if (!(await this.refund(orderId, payment.id, AMOUNT_MINOR))) continue;
      this.done.add(orderId);
      requested += 1;
    }
    return requested;
  }

  /**
   * Requests again the refunds that an operator has settled as not made, given by the ids of their
   * requests (`rfr_…`); returns their number.
   */
  async requestAgain(notMade: readonly string[]): Promise<number> {
    const settled = new Set(notMade);
    const lost = this.made.filter(({ acknowledged: { id } }) => settled.has(id ?? ''));
    for (const one of lost) {
      const { acknowledged, paymentId, amountMinor } = one;
      const isAccepted = await this.refund(acknowledged.orderId, paymentId, amountMinor);
      assert(isAccepted, `the repeated refund of ${acknowledged.orderId} is accepted`);
      one.isReplaced = true;
    }
    return lost.length;
  }

  private async refund(orderId: string, paymentId: string, amountMinor: number): Promise<boolean> {
    const answer = await this.platform.refund(orderId, { amountMinor });
    const acknowledged = acknowledgedRefund(orderId, answer);
    if (acknowledged === null) return false;
    this.made.push({ acknowledged, paymentId, amountMinor, isReplaced: false });
    return true;
  }
}
