import type { Instant } from '#kernel';
import type { ClosingReason, OrderCommand, OrderEvent, OrderTerms } from '#order';
import type { PaymentCommand, PaymentEvent } from '#payment';

/** Where the checkout of one order stands. `closing`: the order is to end unpaid. */
export type Checkout =
  | { readonly status: 'none' }
  | {
      readonly status: 'paying';
      readonly terms: OrderTerms;
      /** The payment that may pay the order now: never two at a time. */
      readonly paymentId: string;
      readonly closing: ClosingReason | null;
      /** Why the order will fail once its payment has ended; older states have no such field. */
      readonly failure?: string | null;
      /** The provider takes other money than was asked for: whatever comes of it pays no order. */
      readonly otherMoney?: boolean;
    }
  | { readonly status: 'done' };

export const CHECKOUT_SAGA = 'checkout';

/**
 * The waits of a checkout, each keyed by the order's id. `expiry`: the payer's time is over.
 * `capture`: a delayed capture is due. `warning`: an authorization nears its end. `overdue`: what
 * was asked of the provider should have shown by now.
 */
export const CHECKOUT_DEADLINES = [
  'checkout.expiry',
  'checkout.capture',
  'checkout.warning',
  'checkout.overdue',
] as const;

export type CheckoutDeadline = (typeof CHECKOUT_DEADLINES)[number];

export type CheckoutMessage =
  | { readonly from: 'order'; readonly event: OrderEvent }
  | { readonly from: 'payment'; readonly paymentId: string; readonly event: PaymentEvent }
  | { readonly from: 'deadline'; readonly kind: CheckoutDeadline };

/** What the saga may not make itself: time and fresh ids. */
export interface CheckoutContext {
  readonly orderId: string;
  readonly now: Instant;
  readonly newPaymentId: string;
  readonly newCaptureId: string;
}

export type CheckoutCommand =
  | { readonly to: 'order'; readonly command: OrderCommand }
  | { readonly to: 'payment'; readonly paymentId: string; readonly command: PaymentCommand };

export interface CheckoutReaction {
  readonly state: Checkout;
  readonly commands: readonly CheckoutCommand[];
  readonly deadlines: Readonly<Partial<Record<CheckoutDeadline, Instant | null>>>;
  /** Read the provider for this payment now instead of at its next scheduled time. */
  readonly readNow: string | null;
}
