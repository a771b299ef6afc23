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
  /** The signed mandate that is debited with no payer present (`sepa_…`). */
  readonly mandateId?: string;
}

/** Why an order ends without being paid. */
export type ClosingReason = 'cancellation' | 'expiry';

/** Money of a paid order that was taken back, or has come again; the order stays paid. */
interface RefundOrChargeback {
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
}

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
      /** By which capture; not given: by a direct debit, or it was paid before captures had ids. */
      readonly captureId?: string;
      /** What this capture takes, which may be less than the order's amount. */
      readonly amountMinor: number;
      readonly currency: Currency;
      readonly at: Instant;
    }
  /** A further capture of the payment that paid the order. */
  | {
      readonly type: 'OrderCaptured';
      readonly paymentId: string;
      readonly captureId: string;
      readonly amountMinor: number;
      /** By all captures of the order, this one included. */
      readonly paidMinor: number;
      readonly currency: Currency;
      readonly at: Instant;
    }
  /** The payer has got money back. */
  | ({
      readonly type: 'OrderRefunded';
      /** The provider's (`refd_…`). */
      readonly refundId: string;
      /** The request that made it; null: it was made at the provider by somebody else. */
      readonly requestId: string | null;
      /** Of all refunds of the order, this one included. */
      readonly refundedMinor: number;
      readonly at: Instant;
    } & RefundOrChargeback)
  /** A card's payer declined the payment: what was left of it is taken back. */
  | ({
      readonly type: 'OrderChargedBack';
      /** The provider's (`dspt_…`). */
      readonly disputeId: string;
      /** The real reason; never for the payer's eyes where the specification masks it. */
      readonly reasonCode: string;
      readonly payerReasonCode: string;
      readonly at: Instant;
    } & RefundOrChargeback)
  /** The payer's dispute was decided for the merchant: what it took back comes again. */
  | ({
      readonly type: 'OrderDisputeWon';
      /** The provider's (`dspt_…`). */
      readonly disputeId: string;
      readonly at: Instant;
    } & RefundOrChargeback)
  /** A direct debit came back, days or weeks after the order was paid. */
  | ({
      readonly type: 'OrderDebitReturned';
      /** Null: it came back before its capture, so no money had come. */
      readonly disputeId: string | null;
      readonly reasonCode: string | null;
      readonly at: Instant;
    } & RefundOrChargeback)
  /** Somebody cancelled the payment at the provider before its cut-off: no money will come. */
  | ({ readonly type: 'OrderPaymentVoided'; readonly at: Instant } & RefundOrChargeback)
  | { readonly type: 'OrderCanceled'; readonly at: Instant }
  | { readonly type: 'OrderExpired'; readonly at: Instant }
  | { readonly type: 'OrderFailed'; readonly reason: string; readonly at: Instant };
