import type { ClosingReason, OrderTerms } from './order-event.js';

/**
 * The fields of every placed order; `payments` are the ids of its payments, the current one last.
 */
export interface PlacedOrder {
  readonly terms: OrderTerms;
  readonly placedAt: string;
  readonly payments: readonly string[];
}

/** The recorded refunds and chargebacks of a paid order. */
export interface RefundsAndChargebacks {
  readonly refundedMinor: number;
  /**
   * The amount that was charged back without a won dispute, returned, or voided before clearing.
   */
  readonly chargedBackMinor: number;
  /**
   * The provider's ids of refunds and disputes, with the prefix `won` for won disputes; `return`
   * and `lost` stand for those without an id.
   */
  readonly recorded: readonly string[];
}

/**
 * An order, derived from its events. `closing`: the order ends unpaid when its payment has ended,
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
      /** The captures that paid the order, if their ids are recorded. */
      readonly captureIds: readonly string[];
      readonly refundsAndChargebacks: RefundsAndChargebacks;
    } & PlacedOrder)
  | ({ readonly status: 'canceled' | 'expired' } & PlacedOrder)
  | ({ readonly status: 'failed'; readonly reason: string } & PlacedOrder);

export type KnownOrder = Exclude<Order, { status: 'not_placed' }>;

export type OrderStatus = Exclude<Order['status'], 'not_placed'>;
