import { randomFrom } from './random.js';
import type { OrderPlan } from './scenario.js';

/** How an order is refunded once it is paid. */
export interface RefundPlan {
  /**
   * The amounts of the consecutive refunds in minor units; null means the whole remaining amount.
   */
  readonly parts: readonly (number | null)[];
  /**
   * Whether the refunds are requested as soon as the order is paid. The first refunds are then
   * queued until the capture is sent to clearing. Otherwise refunds are requested once the payment
   * is captured.
   */
  readonly isEarly: boolean;
}

/**
 * The maximum share of one partial refund. Two partial refunds then leave an amount for further,
 * small refunds.
 */
const MAX_PART_SHARE = 0.4;

/**
 * Plans the refunds of an order. Returns null if the payer disputes the payment, because a disputed
 * payment cannot be refunded.
 */
export const planRefund = (
  seed: number,
  { reference, amountMinor, payer, method }: OrderPlan,
): RefundPlan | null => {
  if (payer === 'disputes') return null;
  const random = randomFrom(seed, `refund of ${reference}`);
  const part = () => random.int(1, Math.floor(amountMinor * MAX_PART_SHARE));
  const [first, second] = [part(), part()];
  const parts = random.pick<RefundPlan['parts']>([
    [null],
    [first],
    [first, second],
    [first, first],
    [first, null],
  ]);
  // A refund of a direct debit is not requested early: the order is paid before the capture, and
  // until the capture the bank may return the debit.
  return { parts, isEarly: method === 'card' && random.chance(0.5) };
};
