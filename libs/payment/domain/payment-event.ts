import type { Currency, Instant } from '#kernel';

/** What a payment asks of the provider's intent; fixed when it is requested. */
export interface PaymentTerms {
  readonly orderId: string;
  readonly platformId: string;
  /** The provider account whose key is used (`acc_…`). */
  readonly accountId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly methods: readonly ('card' | 'sepa')[];
  readonly returnUrl: string | null;
  readonly description: string | null;
  /**
   * The signed mandate that is debited with no payer present (`sepa_…`); without one the payer pays
   * on the page. docs/provider/payments.md#what-the-service-does.
   */
  readonly mandateId?: string;
}

/** A call to the provider whose outcome may stay unknown for a while. */
export type ProviderCall = 'create_intent' | 'debit_mandate' | 'capture' | 'cancel' | 'refund';

/**
 * Why an intent is to end. `cancellation`: the platform wants no money, so an authorization is
 * released. `expiry`: the time is over, but who has paid meanwhile has paid.
 */
export type CancelReason = 'cancellation' | 'expiry';

/** A capture as the provider shows it; `amountMinor` in the payment's currency. */
interface SeenCapture {
  /** Ours (`cap_…`), also where we did not ask for it; its provider's where it carries none. */
  readonly captureId: string;
  readonly amountMinor: number;
  /** Of a provider that shows captures: its own id. */
  readonly providerCaptureId?: string;
}

/** What a platform asks to be given back; `amountMinor` in the payment's currency. */
export interface RefundTerms {
  /** Ours (`rfr_…`): the provider's refund carries no reference. */
  readonly requestId: string;
  readonly amountMinor: number;
  /** The platform's own reference, given back as it is. */
  readonly reference: string | null;
  readonly reason: string | null;
}

/** A refund as the provider has it. */
interface ProviderRefund {
  /** The provider's (`refd_…`). */
  readonly refundId: string;
  /** The request of ours that made it; null: made at the provider by somebody else. */
  readonly requestId: string | null;
  readonly amountMinor: number;
}

/**
 * docs/provider/payments-completion.md#resources: `chargeback`: a card's payer declined the
 * payment. `sepa_return`: a direct debit came back after its capture.
 */
export type DisputeKind = 'chargeback' | 'sepa_return';

/**
 * docs/provider/payments-completion.md#resources, by the provider's names. Of them `won` alone
 * moves money again.
 */
export type DisputeStatus =
  | 'open'
  | 'evidence_pending'
  | 'evidence_sent'
  | 'evidence_verification'
  | 'accepted'
  | 'won'
  | 'lost'
  | 'out_of_time'
  | 'not_contestable';

/** Which fact of the provider's contradicts what is known of the payment. */
export type MismatchAspect =
  | 'status'
  | 'amount'
  | 'currency'
  | 'intent'
  | 'capture'
  | 'refund'
  | 'dispute';

export type PaymentEvent =
  | ({ readonly type: 'IntentRequested'; readonly at: Instant } & PaymentTerms)
  | {
      readonly type: 'IntentCreated';
      readonly intentId: string;
      readonly pageUrl: string;
      readonly at: Instant;
    }
  | { readonly type: 'IntentRejected'; readonly reason: string; readonly at: Instant }
  | {
      readonly type: 'AttemptRefused';
      readonly attemptId: string;
      /** The bank's real response code; never for the payer's eyes where the specification masks it. */
      readonly responseCode: string | null;
      readonly at: Instant;
    }
  | {
      readonly type: 'PaymentAuthorized';
      readonly attemptId: string;
      /** When the provider lets the authorization expire if it is not captured. */
      readonly expiresAt: Instant;
      readonly at: Instant;
    }
  | {
      readonly type: 'DirectDebitAccepted';
      readonly attemptId: string;
      /** The mandate that was debited (`sepa_…`): further orders may be paid with it. */
      readonly mandateId?: string;
      readonly at: Instant;
    }
  /** No payer is present: the mandate of the terms is to be debited. */
  | { readonly type: 'DebitRequested'; readonly mandateId: string; readonly at: Instant }
  /** The provider does not debit the mandate: nothing was tried, and the intent is still open. */
  | { readonly type: 'DebitRejected'; readonly reason: string; readonly at: Instant }
  /** The platform saw the page say `finished`; until then an authorization is unconfirmed. */
  | { readonly type: 'PaymentPageCompleted'; readonly at: Instant }
  | {
      readonly type: 'AuthorizationExpiring';
      readonly expiresAt: Instant;
      readonly at: Instant;
    }
  | {
      readonly type: 'CaptureRequested';
      /** Ours (`cap_…`). */
      readonly captureId: string;
      readonly amountMinor: number;
      readonly requestedBy: 'policy' | 'platform';
      /** Whether the page had not yet been seen to finish. */
      readonly unconfirmed: boolean;
      /** What is left of the authorization is to be released. */
      readonly isFinal?: true;
      readonly at: Instant;
    }
  | ({ readonly type: 'CaptureAccepted'; readonly at: Instant } & SeenCapture)
  | {
      readonly type: 'CaptureSent';
      readonly captureId: string;
      /** Events of schema version 1 tell none: it is the capture's, or all of a direct debit. */
      readonly amountMinor?: number;
      readonly providerCaptureId?: string;
      readonly at: Instant;
    }
  | ({ readonly type: 'PaymentCaptured'; readonly at: Instant } & SeenCapture)
  /** The provider refused the capture and has not made it: another can be requested. */
  | {
      readonly type: 'CaptureRejected';
      readonly captureId: string;
      readonly amountMinor: number;
      readonly reason: string;
      readonly at: Instant;
    }
  /**
   * Nothing more can be captured: after a final capture, or as the authorization has lapsed.
   * `releasedMinor` of it were never captured. A request that was not accepted by then has failed.
   */
  | { readonly type: 'AuthorizationClosed'; readonly releasedMinor: number; readonly at: Instant }
  | { readonly type: 'CancelRequested'; readonly reason: CancelReason; readonly at: Instant }
  | { readonly type: 'PaymentCanceled'; readonly at: Instant }
  | { readonly type: 'AuthorizationExpired'; readonly at: Instant }
  /** Before its capture; one that comes back after it is a dispute (`sepa_return`). */
  | {
      readonly type: 'DirectDebitReturned';
      readonly reasonCode: string | null;
      readonly at: Instant;
    }
  | ({
      readonly type: 'RefundRequested';
      /** The request whose refund was not made: this one takes its place. */
      readonly replaces?: string;
      readonly at: Instant;
    } & RefundTerms)
  /** The provider has not made the refund and will not: the amount may be asked for again. */
  | {
      readonly type: 'RefundRejected';
      readonly requestId: string;
      readonly amountMinor: number;
      readonly reason: string;
      readonly at: Instant;
    }
  /** A refund that was not made is not to be made any more, as people have decided. */
  | {
      readonly type: 'RefundAbandoned';
      readonly requestId: string;
      readonly amountMinor: number;
      readonly at: Instant;
    }
  /** The provider has the refund; what it takes can be refunded no second time. */
  | ({
      readonly type: 'RefundObserved';
      /** When it was made at the provider. */
      readonly createdAt: Instant;
      readonly at: Instant;
    } & ProviderRefund)
  | ({ readonly type: 'RefundSent'; readonly at: Instant } & ProviderRefund)
  /** The money has gone back to the payer. */
  | ({ readonly type: 'RefundSucceeded'; readonly at: Instant } & ProviderRefund)
  /** No money went back: the payer's bank did not take it, or it failed. */
  | ({
      readonly type: 'RefundFailed';
      readonly outcome: 'not_honored' | 'failed';
      readonly at: Instant;
    } & ProviderRefund)
  /** The payer took a captured payment back: the merchant loses `amountMinor` and a fee. */
  | {
      readonly type: 'DisputeObserved';
      /** The provider's (`dspt_…`). */
      readonly disputeId: string;
      readonly kind: DisputeKind;
      readonly amountMinor: number;
      readonly feeMinor: number;
      /** The real reason; never for the payer's eyes where the specification masks it. */
      readonly reasonCode: string;
      /** What the payer may be told: the reason, or the generic 45 where it is masked. */
      readonly payerReasonCode: string;
      readonly createdAt: Instant;
      readonly at: Instant;
    }
  /** A dispute is told as open first; then where it has come to. */
  | {
      readonly type: 'DisputeStatusChanged';
      readonly disputeId: string;
      readonly status: DisputeStatus;
      readonly at: Instant;
    }
  /** The dispute is won: what it took comes back in a later payout, but for its fee. */
  | {
      readonly type: 'DisputeReversed';
      readonly disputeId: string;
      readonly amountMinor: number;
      readonly at: Instant;
    }
  | { readonly type: 'RequestResultUnknown'; readonly request: ProviderCall; readonly at: Instant }
  | { readonly type: 'RequestResultResolved'; readonly request: ProviderCall; readonly at: Instant }
  /** The provider shows what cannot follow from what it showed before: a person must look. */
  | {
      readonly type: 'PaymentMismatchObserved';
      readonly aspect: MismatchAspect;
      readonly expected: string;
      readonly observed: string;
      readonly at: Instant;
    };
