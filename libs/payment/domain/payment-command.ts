import type { CaptureCapabilities, Dated } from '#kernel';
import type { Observation } from './observation.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';

/** The amount to capture, and the provider's capture capabilities. */
export interface CapturePart {
  /** The amount in minor units; null: the rest of the authorization. */
  readonly amountMinor: number | null;
  readonly can: CaptureCapabilities;
  /**
   * Whether the rest of the authorization is released; always true if the provider supports only
   * one capture.
   */
  readonly isFinal?: boolean;
}

export type PaymentCommand = Dated<
  | ({ readonly type: 'RequestIntent' } & PaymentTerms)
  /**
   * Records a read of the provider. All provider facts arrive by this command: from webhooks, polls
   * and responses to requests.
   */
  | {
      readonly type: 'ObservePayment';
      /** The id of our payment. The observed intent must have this id as its reference. */
      readonly paymentId: string;
      readonly observation: Observation;
      /**
       * The request for which this read was made. The read resolves the unknown result of this
       * request, even if the read shows that the request had no effect.
       */
      readonly resolves?: ProviderCall;
      /**
       * Present if a refund is requested right after this read. No refund that the read shows can
       * be the result of that request.
       */
      readonly precedes?: 'refund';
      /**
       * The refund that the response to our refund request shows. Present only in the read that
       * records that response.
       */
      readonly ourRefundId?: string;
    }
  /** The provider rejected the creation of the intent: this is final, and no intent exists. */
  | { readonly type: 'ObserveIntentRejection'; readonly reason: string }
  /** The provider's intent already belongs to another payment. */
  | { readonly type: 'NoteTakenIntent'; readonly intentId: string }
  /** The provider no longer has the payment's intent. */
  | { readonly type: 'NoteMissingIntent' }
  | { readonly type: 'NoteUnknownOutcome'; readonly call: ProviderCall }
  | {
      readonly type: 'RequestCapture';
      /** A new id of ours for the capture (`cap_…`). */
      readonly captureId: string;
      readonly by: 'policy' | 'platform';
      /** The amount to capture; by default the whole amount, which every provider can capture. */
      readonly part?: CapturePart;
    }
  /** The provider rejected a requested capture, and reads do not show the capture. */
  | { readonly type: 'RejectCapture'; readonly captureId: string; readonly reason: string }
  | { readonly type: 'RequestCancel'; readonly reason: CancelReason }
  | {
      readonly type: 'RequestRefund';
      readonly requestId: string;
      /** The amount in minor units; null for the full remaining amount. */
      readonly amountMinor: number | null;
      readonly reference: string | null;
      readonly reason: string | null;
      /**
       * The refund request that this request replaces, one of `rejectedRefunds`; by default the
       * oldest request of the same amount and reference.
       */
      readonly replaces?: string;
    }
  /**
   * The provider has not executed the refund request and never will: the provider rejected the
   * request, or an operator has confirmed this.
   */
  | { readonly type: 'RejectRefund'; readonly requestId: string; readonly reason: string }
  /** Abandons a refund request that is listed in `rejectedRefunds`. */
  | { readonly type: 'GiveUpRefund'; readonly requestId: string }
  /** The provider rejected the debit of the mandate, and made no attempt. */
  | { readonly type: 'RejectDebit'; readonly reason: string }
  /**
   * An operator confirms that the provider no longer has the intent: our recorded state decides how
   * the payment ends.
   */
  | { readonly type: 'ConcludeForgotten' }
  /** Operators have reviewed every recorded mismatch. */
  | { readonly type: 'ReviewMismatches' }
  | { readonly type: 'FinishPage' }
  | { readonly type: 'WarnOfExpiry' }
>;
