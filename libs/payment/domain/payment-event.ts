import type { Currency, Dated, Instant, MinorUnits } from '#kernel';

/**
 * The terms of a payment, which are sent to the provider when the intent is requested and never
 * change.
 */
export interface PaymentTerms {
  /** The order that the payment is for (`ord_…`). */
  readonly orderId: string;
  /** The platform that placed the order. */
  readonly platformId: string;
  /** The merchant that is paid; missing in payments that release 0.2.0 or earlier began. */
  readonly merchantId?: string;
  /** The provider account that the payment is made into (`acc_…`). */
  readonly accountId: string;
  /** The amount of the payment. */
  readonly amountMinor: MinorUnits;
  readonly currency: Currency;
  /** The payment methods that the payer may choose from. */
  readonly methods: readonly ('card' | 'sepa')[];
  /** The URL to which the payer's browser returns after the payment page. */
  readonly returnUrl: string | null;
  /** The text that the payer sees on the payment page. */
  readonly description: string | null;
  /**
   * The signed mandate that is debited without the payer being present (`sepa_…`). Without a
   * mandate the payer pays on the payment page.
   * @see docs/provider/payments.md#what-the-service-does
   */
  readonly mandateId?: string;
}

type AuthenticationOutcome = 'succeeded' | 'declined' | 'failed' | 'expired' | 'unavailable';

/**
 * What the provider shows of the payer's card or bank account: never the number or the holder's
 * name.
 */
export interface MethodDetails {
  /** `sepa`: a direct debit. */
  readonly method: 'card' | 'sepa';
  /** The brand of a card, in lower case, e.g. `visa`. */
  readonly brand?: string;
  /** The last four characters of the card number or IBAN. */
  readonly last4?: string;
  /** The country of the issuer, ISO 3166 alpha-2. */
  readonly country?: string;
  /**
   * How the payer's 3-D Secure authentication ended; missing if it was not used. `unavailable`: the
   * card does not support it.
   */
  readonly authentication?: AuthenticationOutcome;
}

/** The details of the payment method in an attempt. */
interface WithMethodDetails {
  /** Missing if the provider shows no details, and in events of earlier releases. */
  readonly methodDetails?: MethodDetails;
}

/** The kind of the provider request. */
export type ProviderCall = 'create_intent' | 'debit_mandate' | 'capture' | 'cancel' | 'refund';

/**
 * Why the intent is canceled. `cancellation`: by the platform, so an authorization is released.
 * `expiry`: the payer's time to pay is over; a payment that was made in time is still accepted.
 */
export type CancelReason = 'cancellation' | 'expiry';

/** A capture as the provider shows it. */
interface SeenCapture {
  /**
   * Our id of the capture (`cap_…`). The provider's id if the capture was made directly at the
   * provider and has no id of ours.
   */
  readonly captureId: string;
  /** The amount of the capture. */
  readonly amountMinor: MinorUnits;
  /** The provider's id of the capture; missing if the provider does not list captures. */
  readonly providerCaptureId?: string;
}

/** A refund that a platform requests. */
export interface RefundTerms {
  /** Our id of the refund request (`rfr_…`). The provider's refund does not contain this id. */
  readonly requestId: string;
  /** The amount of the refund. */
  readonly amountMinor: MinorUnits;
  /** The platform's own reference, returned unchanged. */
  readonly reference: string | null;
  /** The platform's own text about the reason. */
  readonly reason: string | null;
}

/** A refund as the provider shows it. */
interface ProviderRefund {
  /** The refund at the provider (`refd_…`). */
  readonly refundId: string;
  /** Our request for the refund (`rfr_…`); null for a refund made directly at the provider. */
  readonly requestId: string | null;
  /** The amount of the refund. */
  readonly amountMinor: MinorUnits;
}

export const DISPUTE_KINDS = ['chargeback', 'sepa_return'] as const;

/**
 * `chargeback`: the payer disputes a card payment. `sepa_return`: the payer's bank returned a
 * direct debit after its capture.
 * @see docs/provider/payments-completion.md#resources
 */
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

export const DISPUTE_STATUSES = [
  'open',
  'evidence_pending',
  'evidence_sent',
  'evidence_verification',
  'accepted',
  'won',
  'lost',
  'out_of_time',
  'not_contestable',
] as const;

/**
 * The status of the dispute, in the provider's words. Only `won` moves money.
 * @see docs/provider/payments-completion.md#resources
 */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** Which fact at the provider does not match the payment. */
export type MismatchAspect =
  | 'status'
  | 'amount'
  | 'currency'
  | 'intent'
  | 'capture'
  | 'refund'
  | 'dispute';

export type PaymentEvent = Dated<
  /** An intent is requested from the provider. */
  | ({ readonly type: 'IntentRequested' } & PaymentTerms)
  /** The provider created the intent; the payer can pay. */
  | {
      readonly type: 'IntentCreated';
      /** The intent at the provider (`pi_…`). */
      readonly intentId: string;
      /** The URL of the provider's payment page for this intent. */
      readonly pageUrl: string;
    }
  /** The provider refused to create the intent: the payment ends without collecting money. */
  | {
      readonly type: 'IntentRejected';
      /** Why the provider refused the request, for a developer. */
      readonly reason: string;
    }
  /** The payer's bank refused an attempt; the payer may try again. */
  | ({
      readonly type: 'AttemptRefused';
      /** The payer's attempt at the provider (`paym_…`). */
      readonly attemptId: string;
      /**
       * The bank's response code, e.g. `51`; null if the bank gave none. Do not show it to the
       * payer: it may be confidential.
       */
      readonly responseCode: string | null;
    } & WithMethodDetails)
  /** The payer's bank authorized the amount. */
  | ({
      readonly type: 'PaymentAuthorized';
      readonly attemptId: string;
      /** When the authorization expires at the provider if it is not captured. */
      readonly expiresAt: Instant;
    } & WithMethodDetails)
  /** The provider accepted a direct debit; it will be sent to the payer's bank. */
  | ({
      readonly type: 'DirectDebitAccepted';
      readonly attemptId: string;
      /** The debited mandate (`sepa_…`), with which later orders can be paid. */
      readonly mandateId?: string;
    } & WithMethodDetails)
  /** The debit of the order's mandate is requested from the provider. */
  | {
      readonly type: 'DebitRequested';
      /** The signed mandate to debit (`sepa_…`). */
      readonly mandateId: string;
    }
  /** The provider refused to debit the mandate: no attempt was made, and the intent is open. */
  | { readonly type: 'DebitRejected'; readonly reason: string }
  /**
   * The payer has reached the end of the payment page; until then an authorization is unconfirmed.
   */
  | { readonly type: 'PaymentPageCompleted' }
  /** The authorization expires soon, and is not captured yet. */
  | { readonly type: 'AuthorizationExpiring'; readonly expiresAt: Instant }
  /** A capture is requested from the provider. */
  | {
      readonly type: 'CaptureRequested';
      /** Our id of the capture (`cap_…`). */
      readonly captureId: string;
      /** The amount to capture. */
      readonly amountMinor: MinorUnits;
      /** Whether the order's capture policy or a request of the platform started the capture. */
      readonly requestedBy: 'policy' | 'platform';
      /** Whether the capture was requested before the payer completed the payment page. */
      readonly unconfirmed: boolean;
      /** Present if the rest of the authorization is released after this capture. */
      readonly isFinal?: true;
    }
  /** The provider accepted the capture; until it is sent, the payment can still be canceled. */
  | ({ readonly type: 'CaptureAccepted' } & SeenCapture)
  /** The provider sent the capture to the bank: the payment can no longer be canceled. */
  | {
      readonly type: 'CaptureSent';
      readonly captureId: string;
      /**
       * The amount of the capture. Missing in events of schema version 1: the amount is then that
       * of the accepted capture, or for a direct debit the whole amount.
       */
      readonly amountMinor?: MinorUnits;
      readonly providerCaptureId?: string;
    }
  /** The capture is settled: the bank paid the amount. */
  | ({ readonly type: 'PaymentCaptured' } & SeenCapture)
  /** The provider refused the capture: nothing was captured, and a new capture can be requested. */
  | {
      readonly type: 'CaptureRejected';
      readonly captureId: string;
      /** The amount that was to be captured. */
      readonly amountMinor: MinorUnits;
      readonly reason: string;
    }
  /**
   * No further capture is possible, because of a final capture or because the authorization
   * expired. A requested capture that the provider has not accepted by then has failed.
   */
  | {
      readonly type: 'AuthorizationClosed';
      /** The authorized amount that was never captured and is released. */
      readonly releasedMinor: MinorUnits;
    }
  /** The cancellation of the intent is requested from the provider. */
  | { readonly type: 'CancelRequested'; readonly reason: CancelReason }
  /** The provider canceled the intent: no money was or will be collected. */
  | { readonly type: 'PaymentCanceled' }
  /** The authorization expired before it was captured: no money was or will be collected. */
  | { readonly type: 'AuthorizationExpired' }
  /**
   * The payer's bank returned a direct debit before its capture; a return after the capture is a
   * dispute.
   */
  | {
      readonly type: 'DirectDebitReturned';
      /** The bank's reason code, e.g. `AM04`; null if the bank gave none. */
      readonly reasonCode: string | null;
    }
  /**
   * A refund was requested before the capture was sent to clearing. After clearing it is requested
   * from the provider (`RefundRequested`), or rejected if the payment has ended without a capture.
   */
  | ({
      readonly type: 'RefundQueued';
      /** The latest time at which the refund is expected to be requested from the provider. */
      readonly expectedAt: Instant;
    } & RefundTerms)
  /** A refund is requested from the provider. */
  | ({
      readonly type: 'RefundRequested';
      /**
       * The earlier request (`rfr_…`) that this request replaces; the provider did not execute the
       * earlier request.
       */
      readonly replaces?: string;
      /**
       * Present if the request replaces no earlier request, although the provider did not execute
       * one of the same amount: their references differ, so that refund is still owed.
       */
      readonly isSeparate?: true;
    } & RefundTerms)
  /**
   * The refund was not made: the provider refused it, or a queued refund was not possible any more
   * after clearing. If the amount was captured, it can be refunded by a new request.
   */
  | {
      readonly type: 'RefundRejected';
      readonly requestId: string;
      /** The amount that was to be refunded. */
      readonly amountMinor: MinorUnits;
      readonly reason: string;
    }
  /**
   * Operators decided that a refund request, which the provider did not execute, will not be
   * repeated.
   */
  | {
      readonly type: 'RefundAbandoned';
      readonly requestId: string;
      /** The amount that was to be refunded. */
      readonly amountMinor: MinorUnits;
    }
  /** The provider shows the refund; its amount cannot be refunded again. */
  | ({
      readonly type: 'RefundObserved';
      /** When the refund was created at the provider. */
      readonly createdAt: Instant;
    } & ProviderRefund)
  /** The provider sent the refund to the payer's bank. */
  | ({ readonly type: 'RefundSent' } & ProviderRefund)
  /** The refund reached the payer. */
  | ({ readonly type: 'RefundSucceeded' } & ProviderRefund)
  /** The refund did not reach the payer: the merchant keeps the amount. */
  | ({
      readonly type: 'RefundFailed';
      /**
       * `not_honored`: the payer's bank refused the refund. `failed`: the provider could not make
       * the refund.
       */
      readonly outcome: 'not_honored' | 'failed';
    } & ProviderRefund)
  /** A captured payment is disputed or returned: the merchant loses the amount and a fee. */
  | {
      readonly type: 'DisputeObserved';
      /** The dispute at the provider (`dspt_…`). */
      readonly disputeId: string;
      readonly kind: DisputeKind;
      /** The disputed amount. */
      readonly amountMinor: MinorUnits;
      /** The provider's fee for the dispute. */
      readonly feeMinor: MinorUnits;
      /** The bank's reason code. Do not show it to the payer: it may be confidential. */
      readonly reasonCode: string;
      /**
       * The reason code that may be shown to the payer: `45` if the real code must not be shown.
       */
      readonly payerReasonCode: string;
      /** When the dispute was created at the provider. */
      readonly createdAt: Instant;
    }
  /**
   * The status of a dispute changed. The first status of every dispute is `open`, for which this
   * event is not recorded.
   */
  | {
      readonly type: 'DisputeStatusChanged';
      readonly disputeId: string;
      readonly status: DisputeStatus;
    }
  /** The merchant won the dispute: a later payout returns the amount, without the fee. */
  | {
      readonly type: 'DisputeReversed';
      readonly disputeId: string;
      /** The returned amount. */
      readonly amountMinor: MinorUnits;
    }
  /** The provider did not respond to a write, which may still have had its effect. */
  | { readonly type: 'RequestResultUnknown'; readonly request: ProviderCall }
  /** A read showed the result of a write that got no response. */
  | { readonly type: 'RequestResultResolved'; readonly request: ProviderCall }
  /**
   * The provider shows something that contradicts earlier facts: an operator must review the
   * contradiction.
   */
  | {
      readonly type: 'PaymentMismatchObserved';
      readonly aspect: MismatchAspect;
      /** The value in our records, as text. */
      readonly expected: string;
      /** The value at the provider, as text. */
      readonly observed: string;
    }
  /**
   * Two operators reviewed the payment's mismatches, and decided that nothing remains to be done
   * about them. The recorded state of the payment does not change.
   */
  | {
      readonly type: 'PaymentMismatchesReviewed';
      /** What was reviewed, each as `aspect:expected:observed`. */
      readonly mismatches: readonly string[];
    }
>;
