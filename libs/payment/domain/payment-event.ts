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
}

/** A call to the provider whose outcome may stay unknown for a while. */
export type ProviderCall = 'create_intent' | 'capture' | 'cancel';

/**
 * Why an intent is to end. `cancellation`: the platform wants no money, so an authorization is
 * released. `expiry`: the time is over, but who has paid meanwhile has paid.
 */
export type CancelReason = 'cancellation' | 'expiry';

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
      readonly response: string | null;
      readonly at: Instant;
    }
  | {
      readonly type: 'PaymentAuthorized';
      readonly attemptId: string;
      /** When the provider lets the authorization expire if it is not captured. */
      readonly expiresAt: Instant;
      readonly at: Instant;
    }
  | { readonly type: 'DirectDebitAccepted'; readonly attemptId: string; readonly at: Instant }
  /** The platform saw the page say `finished`; until then an authorization is unconfirmed. */
  | { readonly type: 'PageFinished'; readonly at: Instant }
  | {
      readonly type: 'AuthorizationExpiring';
      readonly expiresAt: Instant;
      readonly at: Instant;
    }
  | {
      readonly type: 'CaptureRequested';
      readonly amountMinor: number;
      readonly by: 'policy' | 'platform';
      /** Whether the page had not yet been seen to finish. */
      readonly unconfirmed: boolean;
      readonly at: Instant;
    }
  | { readonly type: 'CaptureAccepted'; readonly amountMinor: number; readonly at: Instant }
  | { readonly type: 'CaptureSent'; readonly at: Instant }
  | { readonly type: 'PaymentCaptured'; readonly amountMinor: number; readonly at: Instant }
  | { readonly type: 'CancelRequested'; readonly reason: CancelReason; readonly at: Instant }
  | { readonly type: 'PaymentCanceled'; readonly at: Instant }
  | { readonly type: 'AuthorizationExpired'; readonly at: Instant }
  | {
      readonly type: 'DirectDebitReturned';
      readonly response: string | null;
      readonly at: Instant;
    }
  | { readonly type: 'OutcomeUnknown'; readonly call: ProviderCall; readonly at: Instant }
  | { readonly type: 'OutcomeSettled'; readonly call: ProviderCall; readonly at: Instant }
  /** The provider shows what cannot follow from what it showed before: a person must look. */
  | {
      readonly type: 'ProviderMismatchObserved';
      readonly aspect: 'status' | 'amount' | 'currency' | 'intent';
      readonly expected: string;
      readonly observed: string;
      readonly at: Instant;
    };
