import type { Currency, Dated, Instant, MinorUnits } from '#kernel';

/** When an authorized amount is captured. */
export type CapturePolicy =
  | {
      /** Captured as soon as the payment is authorized. */
      readonly policy: 'automatic';
    }
  | {
      /** Captured when the platform requests it. */
      readonly policy: 'manual';
    }
  | {
      /** Captured after a delay. */
      readonly policy: 'delayed';
      /** The delay after the authorization, in milliseconds, e.g. `86400000` for a day. */
      readonly delayMs: number;
    };

export type PaymentMethod = 'card' | 'sepa';

/** What the platform requested; fixed when the order is placed. */
export interface OrderTerms {
  /** The platform that placed the order. */
  readonly platformId: string;
  /** The merchant that is paid. */
  readonly merchantId: string;
  /** The provider account that the order is paid into (`acc_…`). */
  readonly accountId: string;
  /** The platform's own reference, unique for each platform. */
  readonly reference: string;
  /** The amount of the order. */
  readonly amountMinor: MinorUnits;
  readonly currency: Currency;
  readonly capture: CapturePolicy;
  /** The payment methods that the payer may choose from. */
  readonly methods: readonly PaymentMethod[];
  /** The URL to which the payer's browser returns after the payment page. */
  readonly returnUrl: string | null;
  /** The text that the payer sees on the payment page. */
  readonly description: string | null;
  /** The platform's own keys and values, returned unchanged. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The instant until which the payer can pay. */
  readonly expiresAt: Instant;
  /** The signed mandate that is debited without the payer being present (`sepa_…`). */
  readonly mandateId?: string;
}

/** Why an order ends without being paid. */
export type ClosingReason = 'cancellation' | 'expiry';

/**
 * Money of a paid order that was returned to the payer, or that the merchant recovered by winning a
 * dispute. The order stays paid.
 */
interface RefundOrChargeback {
  /** The payment of the order (`pay_…`). */
  readonly paymentId: string;
  /** The amount of this refund, chargeback, return or reversal. */
  readonly amountMinor: MinorUnits;
  readonly currency: Currency;
}

export type OrderEvent = Dated<
  /** A platform placed the order. */
  | ({ readonly type: 'OrderPlaced' } & OrderTerms)
  /** A payment of the order was started: an intent is requested from the provider. */
  | {
      readonly type: 'OrderPaymentStarted';
      readonly paymentId: string;
      /**
       * 1 for the first payment of the order, 2 for the payment that follows a canceled intent, …
       */
      readonly ordinal: number;
    }
  /** The payer's bank authorized the amount; nothing is captured yet. */
  | { readonly type: 'OrderAuthorized'; readonly paymentId: string }
  /**
   * The platform requested the cancellation; the payment may still succeed before the cancellation
   * takes effect.
   */
  | { readonly type: 'OrderCancellationRequested' }
  /** The time to pay is over; a payment that succeeded in time still counts. */
  | { readonly type: 'OrderExpiryReached' }
  /** The provider accepted the first capture, or the direct debit: goods can be delivered. */
  | {
      readonly type: 'OrderPaid';
      readonly paymentId: string;
      /**
       * The capture that paid the order (`cap_…`). Missing for a direct debit, and in events that
       * were recorded before captures had ids.
       */
      readonly captureId?: string;
      /** The amount of this capture, which may be less than the order's amount. */
      readonly amountMinor: MinorUnits;
      readonly currency: Currency;
    }
  /** A further capture of the payment that paid the order. */
  | {
      readonly type: 'OrderCaptured';
      readonly paymentId: string;
      /** The capture (`cap_…`). */
      readonly captureId: string;
      /** The amount of this capture. */
      readonly amountMinor: MinorUnits;
      /** The sum of all captures of the order, including this one. */
      readonly paidMinor: MinorUnits;
      readonly currency: Currency;
    }
  /** The provider changed the amount of a recorded capture of the payment that paid the order. */
  | {
      readonly type: 'OrderCaptureCorrected';
      readonly paymentId: string;
      /** The capture (`cap_…`). */
      readonly captureId: string;
      /** The amount with which this capture was recorded before. */
      readonly previousAmountMinor: MinorUnits;
      /** The amount of this capture, which replaces its previous amount. */
      readonly amountMinor: MinorUnits;
      /** The sum of all captures of the order, with this amount. */
      readonly paidMinor: MinorUnits;
      readonly currency: Currency;
    }
  /** A refund reached the payer. */
  | ({
      readonly type: 'OrderRefunded';
      /** The refund at the provider (`refd_…`). */
      readonly refundId: string;
      /** Our request for the refund (`rfr_…`); null for a refund made directly at the provider. */
      readonly requestId: string | null;
      /** The sum of all refunds of the order, including this one. */
      readonly refundedMinor: MinorUnits;
    } & RefundOrChargeback)
  /** The payer disputed a card payment: the disputed amount is charged back. */
  | ({
      readonly type: 'OrderChargedBack';
      /** The dispute at the provider (`dspt_…`). */
      readonly disputeId: string;
      /** The bank's reason code. Do not show it to the payer: it may be confidential. */
      readonly reasonCode: string;
      /**
       * The reason code that may be shown to the payer: `45` if the real code must not be shown.
       */
      readonly payerReasonCode: string;
    } & RefundOrChargeback)
  /** The merchant won the dispute: the amount charged back is paid again. */
  | ({ readonly type: 'OrderDisputeWon'; readonly disputeId: string } & RefundOrChargeback)
  /** The payer's bank returned a direct debit, days or weeks after the order was paid. */
  | ({
      readonly type: 'OrderDebitReturned';
      /**
       * The dispute at the provider (`dspt_…`); null if the debit was returned before its capture.
       */
      readonly disputeId: string | null;
      /** The bank's reason code, e.g. `AM04`; null if the bank gave none. */
      readonly reasonCode: string | null;
    } & RefundOrChargeback)
  /** The payment was canceled at the provider before it was sent to the bank: no money moves. */
  | ({ readonly type: 'OrderPaymentVoided' } & RefundOrChargeback)
  /** The order ended without payment, because the platform canceled it. */
  | { readonly type: 'OrderCanceled' }
  /** The order ended without payment, because the time to pay was over. */
  | { readonly type: 'OrderExpired' }
  /**
   * The order ended without payment: the provider refused the payment, or charged a different
   * amount.
   */
  | {
      readonly type: 'OrderFailed';
      /** Why the order failed, for a developer. */
      readonly reason: string;
    }
>;
