import { randomFrom } from './random.js';
import type { OrderPlan } from './scenario.js';

/** How an order is refunded, if it is paid. */
export interface RefundPlan {
  /** The amounts in minor units of the refunds, in this order; null: everything that is left. */
  readonly parts: readonly (number | null)[];
  /**
   * Whether the refunds are requested as soon as the order is paid: the first are then queued until
   * the capture is sent to clearing. The others are requested when the payment is captured.
   */
  readonly isEarly: boolean;
}

/**
 * The maximum share of a partial refund: two partial refunds leave a rest for further, small
 * refunds.
 */
const MAX_PART_SHARE = 0.4;

/**
 * Plans the refunds of an order; null for an order that the payer disputes, because a disputed
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
  // A direct debit is paid before it is captured, and until then its bank may return it.
  return { parts, isEarly: method === 'card' && random.chance(0.5) };
};
