import type { Instant } from '#kernel';
import type { ClosingReason, OrderCommand, OrderEvent, OrderTerms } from '#order';
import type { PaymentCommand, PaymentEvent } from '#payment';

/** The state of the checkout of one order. `closing` is set if the order is to end unpaid. */
export type Checkout =
  | { readonly status: 'none' }
  | {
      readonly status: 'paying';
      readonly terms: OrderTerms;
      /** The payment that may pay the order; there is only one at a time. */
      readonly paymentId: string;
      readonly closing: ClosingReason | null;
      /**
       * Why the order will fail when its payment has ended; missing in states that older releases
       * saved.
       */
      readonly failure?: string | null;
      /**
       * Whether the provider has shown an amount or currency that differs from the order's; such a
       * payment cannot pay the order.
       */
      readonly otherMoney?: boolean;
    }
  | { readonly status: 'done' };

export const CHECKOUT_SAGA = 'checkout';

/**
 * The kinds of deadlines of a checkout; their key is the order's id. `expiry`: the payer's time to
 * pay is over. `capture`: a delayed capture is due. `warning`: an authorization will soon expire.
 */
export const CHECKOUT_DEADLINES = [
  'checkout.expiry',
  'checkout.capture',
  'checkout.warning',
] as const;

export type CheckoutDeadline = (typeof CHECKOUT_DEADLINES)[number];

export type CheckoutMessage =
  | { readonly from: 'order'; readonly event: OrderEvent }
  | { readonly from: 'payment'; readonly paymentId: string; readonly event: PaymentEvent }
  | { readonly from: 'deadline'; readonly kind: CheckoutDeadline };

/** The current time and new ids. The saga cannot create them, because it is a pure function. */
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
}
