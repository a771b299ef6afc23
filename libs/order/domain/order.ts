import type { ClosingReason, OrderTerms } from './order-event.js';

/** What every placed order has; `payments` are the ids of its payments, the current one last. */
export interface PlacedOrder {
  readonly terms: OrderTerms;
  readonly placedAt: string;
  readonly payments: readonly string[];
}

/** What has been told of a paid order's money that went back. */
export interface MoneyBackTold {
  readonly refundedMinor: number;
  /** Taken back by the payer and not won back, or lost before it came. */
  readonly takenBackMinor: number;
  /**
   * The provider's ids of the refunds and disputes told, `won` before those that were won; `return`
   * and `lost` for what has none.
   */
  readonly told: readonly string[];
}

/**
 * An order as its history tells it. `closing`: it is to end unpaid, and waits until its payment is
 * observed to have ended, as a payer may still be paying.
 */
export type Order =
  | { readonly status: 'not_placed' }
  | ({ readonly status: 'open' | 'authorized' } & PlacedOrder)
  | ({ readonly status: 'closing'; readonly closing: ClosingReason } & PlacedOrder)
  | ({
      readonly status: 'paid';
      /** What was captured of the order's amount. */
      readonly paidMinor: number;
      /** The captures that paid it, as far as they were named. */
      readonly captureIds: readonly string[];
      readonly moneyBack: MoneyBackTold;
    } & PlacedOrder)
  | ({ readonly status: 'canceled' | 'expired' } & PlacedOrder)
  | ({ readonly status: 'failed'; readonly reason: string } & PlacedOrder);

export type KnownOrder = Exclude<Order, { status: 'not_placed' }>;

export type OrderStatus = Exclude<Order['status'], 'not_placed'>;
