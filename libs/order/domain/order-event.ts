import type { Currency, Instant } from '#kernel';

/** How an authorized amount is captured. `delayMs` counts from the authorization. */
export type CapturePolicy =
  | { readonly policy: 'automatic' }
  | { readonly policy: 'manual' }
  | { readonly policy: 'delayed'; readonly delayMs: number };

export type PaymentMethod = 'card' | 'sepa';

/** What the platform asked for; fixed from the moment the order is placed. */
export interface OrderTerms {
  readonly platformId: string;
  readonly merchantId: string;
  /** The provider account whose key takes the money (`acc_…`). */
  readonly accountId: string;
  /** The platform's own reference, unique for each platform. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly capture: CapturePolicy;
  readonly methods: readonly PaymentMethod[];
  readonly returnUrl: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Until when the payer may pay. */
  readonly expiresAt: Instant;
}

/** Why an order ends without being paid. */
export type ClosingReason = 'cancellation' | 'expiry';

export type OrderEvent =
  | ({ readonly type: 'OrderPlaced'; readonly at: Instant } & OrderTerms)
  | {
      readonly type: 'OrderPaymentStarted';
      readonly paymentId: string;
      /** 1 for the first payment of the order, 2 for the one after a canceled intent, … */
      readonly ordinal: number;
      readonly at: Instant;
    }
  | { readonly type: 'OrderAuthorized'; readonly paymentId: string; readonly at: Instant }
  | { readonly type: 'OrderCancellationRequested'; readonly at: Instant }
  | { readonly type: 'OrderExpiryReached'; readonly at: Instant }
  | {
      readonly type: 'OrderPaid';
      readonly paymentId: string;
      readonly amountMinor: number;
      readonly currency: Currency;
      readonly at: Instant;
    }
  | { readonly type: 'OrderCanceled'; readonly at: Instant }
  | { readonly type: 'OrderExpired'; readonly at: Instant }
  | { readonly type: 'OrderFailed'; readonly reason: string; readonly at: Instant };
