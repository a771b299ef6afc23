import { assert } from '#kernel';
import { waitFor } from '#testing';
import type { Answer, OrderView, Platform } from '../stack/platform.js';
import { acknowledgedRefund, type Acknowledgement } from './acknowledged.js';
import type { AcceptedFact, RefundFact } from './facts.js';
import { FailedDuringRun } from './failed-during-run.js';
import type { RefundPlan } from './refund-plan.js';
import type { OrderPlan } from './scenario.js';

/** A refund request that an api acknowledged with 202. */
interface Requested {
  readonly acknowledged: Acknowledgement;
  readonly paymentId: string;
  readonly amountMinor: number;
  /** Whether the refund was queued because the capture was not sent to clearing yet. */
  readonly isQueued: boolean;
  /** Whether an operator marked the refund as not made, and the platform requested it again. */
  isReplaced: boolean;
}

/** One small refund, whose amount is lower than that of any order. */
const SMALL_REFUND = { parts: [50], isEarly: false } as const;

/** An order that is refunded if it is paid. */
export interface OrderToRefund {
  readonly orderId: string;
  readonly plan: RefundPlan;
}

/**
 * Plans a small refund for each accepted order whose payment is not disputed; disputed payments are
 * not refunded.
 */
export const smallRefundsOf = (
  plans: readonly OrderPlan[],
  accepted: readonly AcceptedFact[],
): readonly OrderToRefund[] => {
  const disputed = new Set(
    plans.filter(({ payer }) => payer === 'disputes').map(({ reference }) => reference),
  );
  return accepted
    .filter(({ reference }) => !disputed.has(reference))
    .flatMap(({ orderIds }) => orderIds.map((orderId) => ({ orderId, plan: SMALL_REFUND })));
};

/** An order with planned refunds that are not requested yet. */
interface Open extends OrderToRefund {
  /** The number of the order's refunds that were already requested. */
  done: number;
}

/**
 * The amount of each further refund. Further refunds are requested while kills must still interrupt
 * some work.
 */
const FURTHER_MINOR = 1;
const MAX_FURTHER = 10;
const ENDED_UNPAID = new Set(['canceled', 'expired', 'failed']);
/**
 * The maximum number of orders that a round tries for each refund. The remaining orders are tried
 * in later rounds.
 */
const TRIES_PER_REFUND = 6;
const ACCEPTED_WITHIN_MS = 60_000;

/**
 * The refusals that a platform must expect: the provider does not show an earlier refund yet, the
 * bank has returned the debit, or the payer has disputed the payment.
 */
const EXPECTED_REFUSALS = new Set(['refund_in_progress', 'payment_ended', 'payment_disputed']);

const isReady = ({ plan }: Open, { payment }: OrderView): boolean => {
  if (payment?.status === 'captured') return true;
  return plan.isEarly && (payment?.status === 'to_capture' || payment?.status === 'capture_sent');
};

const isComplete = ({ plan, done }: Open): boolean =>
  done >= plan.parts.length + (plan.parts.includes(null) ? 0 : MAX_FURTHER);

export class Refunds {
  private readonly open: Open[] = [];
  private readonly made: Requested[] = [];
  /** The number of refused requests, by rejection code. */
  readonly refused = new Map<string, number>();

  constructor(private readonly platform: Platform) {}

  add(orders: readonly OrderToRefund[]): void {
    this.open.push(...orders.map((order) => ({ ...order, done: 0 })));
  }

  get acknowledged(): readonly Acknowledgement[] {
    return this.made.map(({ acknowledged }) => acknowledged);
  }

  /** The refunds that the provider must make if it has the money of the payment. */
  get requested(): readonly RefundFact[] {
    return this.made
      .filter(({ isReplaced }) => !isReplaced)
      .map(({ paymentId, amountMinor }) => ({ paymentId, amountMinor }));
  }

  get queued(): number {
    return this.made.filter(({ isQueued }) => isQueued).length;
  }

  /** How many planned refunds are not requested yet. */
  get left(): number {
    return this.open.reduce(
      (sum, { plan, done }) => sum + Math.max(0, plan.parts.length - done),
      0,
    );
  }

  /**
   * Requests at most `most` refunds of orders that can be refunded now. With `isFurther`, requests
   * small refunds of orders whose planned refunds were all requested. Returns the number of
   * acknowledged requests.
   */
  async request(most: number, { isFurther = false } = {}): Promise<number> {
    let requested = 0;
    const tries = Math.min(this.open.length, most * TRIES_PER_REFUND);
    for (let tried = 0; tried < tries && requested < most; tried += 1) {
      const order = this.open.shift();
      if (order === undefined) break;
      const isPlanned = order.done < order.plan.parts.length;
      const result = isPlanned || isFurther ? await this.attempt(order) : 'later';
      if (result === 'accepted') requested += 1;
      if (result !== 'never' && !isComplete(order)) this.open.push(order);
    }
    return requested;
  }

  /**
   * Requests refunds again that an operator has marked as not made, by the ids of their requests
   * (`rfr_…`). Returns their number.
   */
  async requestAgain(notMade: readonly string[]): Promise<number> {
    const settled = new Set(notMade);
    const lost = this.made.filter(
      ({ acknowledged: { id }, isReplaced }) => !isReplaced && settled.has(id ?? ''),
    );
    for (const one of lost) {
      const { acknowledged, paymentId, amountMinor } = one;
      const again = () => this.refund(acknowledged.orderId, paymentId, amountMinor);
      const { status } = await waitFor(
        async () => {
          const answer = await again();
          return answer.body['code'] === 'refund_in_progress' ? null : answer;
        },
        { timeoutMs: ACCEPTED_WITHIN_MS, everyMs: 200 },
      );
      assert(status === 202, `the repeated refund of ${acknowledged.orderId} is accepted`);
      one.isReplaced = true;
    }
    return lost.length;
  }

  /**
   * Requests a small refund of an order whose payment can be refunded, at the apis of `platform`.
   */
  async requestNow(orderId: string, platform = this.platform): Promise<void> {
    const { payment } = await platform.read(orderId);
    assert(payment, `the order ${orderId} has a payment`);
    const { status } = await this.refund(orderId, payment.id, SMALL_REFUND.parts[0], platform);
    assert(status === 202, `the refund of ${orderId} is accepted`);
  }

  /**
   * Requests the refund of an order again, because a database restore has lost the first request.
   */
  async repeat(orderId: string): Promise<void> {
    const lost = this.made.find(({ acknowledged }) => acknowledged.orderId === orderId);
    assert(lost, `a refund of ${orderId} was requested`);
    const { status } = await this.refund(orderId, lost.paymentId, lost.amountMinor);
    assert(status === 202, `the repeated refund of ${orderId} is accepted`);
    lost.isReplaced = true;
  }

  private async attempt(order: Open): Promise<'accepted' | 'later' | 'never'> {
    const { orderId, plan, done } = order;
    const view = await this.platform.read(orderId);
    if (ENDED_UNPAID.has(view.status)) return 'never';
    if (view.payment === null || !isReady(order, view)) return 'later';
    const amountMinor = done < plan.parts.length ? (plan.parts[done] ?? null) : FURTHER_MINOR;
    const { status, body } = await this.refund(orderId, view.payment.id, amountMinor);
    if (status === 202) {
      order.done += 1;
      return 'accepted';
    }
    const code = String(body['code']);
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    if (!EXPECTED_REFUSALS.has(code)) {
      throw new FailedDuringRun(`no refund of a captured payment is refused: ${orderId}, ${code}`);
    }
    return code === 'refund_in_progress' ? 'later' : 'never';
  }

  private async refund(
    orderId: string,
    paymentId: string,
    amountMinor: number | null,
    platform = this.platform,
  ): Promise<Answer> {
    const answer = await platform.refund(orderId, amountMinor === null ? {} : { amountMinor });
    const acknowledged = acknowledgedRefund(orderId, answer);
    if (acknowledged !== null) {
      this.made.push({
        acknowledged,
        paymentId,
        amountMinor: acknowledged.amountMinor ?? 0,
        isQueued: answer.body['status'] === 'queued',
        isReplaced: false,
      });
    }
    return answer;
  }
}
