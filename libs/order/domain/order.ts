import type { ClosingReason, OrderTerms } from './order-event.js';

/**
 * The fields of every placed order. `payments` contains the ids of the order's payments; the last
 * id is that of the current payment.
 */
export interface PlacedOrder {
  readonly terms: OrderTerms;
  readonly placedAt: string;
  readonly payments: readonly string[];
}

/** A capture that paid the order, or a part of it. */
export interface PaidCapture {
  readonly captureId: string;
  readonly amountMinor: number;
}

/** The recorded refunds and chargebacks of a paid order. */
export interface RefundsAndChargebacks {
  readonly refundedMinor: number;
  /**
   * The amount that was disputed and not won back, returned by the payer's bank, or canceled before
   * clearing.
   */
  readonly chargedBackMinor: number;
  /**
   * The keys of the refunds and disputes that are already recorded: the provider's id, prefixed
   * with `won` for a won dispute, or `return` or `lost` where the provider has no id.
   */
  readonly recorded: readonly string[];
}

/**
 * The state of an order. `closing`: the order shall end unpaid, and waits for its payment to end,
 * because the payer may still be paying.
 */
export type Order =
  | { readonly status: 'not_placed' }
  | ({ readonly status: 'open' | 'authorized' } & PlacedOrder)
  | ({ readonly status: 'closing'; readonly closing: ClosingReason } & PlacedOrder)
  | ({
      readonly status: 'paid';
      /** The captured part of the order's amount. */
      readonly paidMinor: number;
      /** The captures that paid the order, as far as their ids are recorded. */
      readonly captures: readonly PaidCapture[];
      readonly refundsAndChargebacks: RefundsAndChargebacks;
    } & PlacedOrder)
  | ({ readonly status: 'canceled' | 'expired' } & PlacedOrder)
  | ({ readonly status: 'failed'; readonly reason: string } & PlacedOrder);

export type KnownOrder = Exclude<Order, { status: 'not_placed' }>;

export type OrderStatus = Exclude<Order['status'], 'not_placed'>;
