import type { CaptureCapabilities, Instant } from '#kernel';
import type { Observation } from './observation.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';

/** The amount to capture, and the provider's capabilities for it. */
export interface CapturePart {
  /** Minor units; null: the rest. */
  readonly amountMinor: number | null;
  readonly can: CaptureCapabilities;
  /** The rest is released; always so where the provider captures once. */
  readonly isFinal?: boolean;
}

export type PaymentCommand =
  | ({ readonly type: 'RequestIntent'; readonly at: Instant } & PaymentTerms)
  /** All provider facts arrive by this command: from webhooks, polls and responses to calls. */
  | {
      readonly type: 'ObservePayment';
      /** The payment that is observed: the intent must carry it as its reference. */
      readonly paymentId: string;
      readonly observation: Observation;
      /** The call whose result this read resolves, also when it shows that nothing was done. */
      readonly settles?: ProviderCall;
      /** Read directly before a call of this kind, so nothing in it is the call's result. */
      readonly precedes?: 'refund';
      readonly at: Instant;
    }
  /** The provider rejected the creation of the intent: final, nothing exists there. */
  | { readonly type: 'ObserveIntentRejection'; readonly reason: string; readonly at: Instant }
  /** The intent belongs to another payment already. */
  | { readonly type: 'NoteTakenIntent'; readonly intentId: string; readonly at: Instant }
  | { readonly type: 'NoteUnknownOutcome'; readonly call: ProviderCall; readonly at: Instant }
  | {
      readonly type: 'RequestCapture';
      /** A fresh id of ours (`cap_…`). */
      readonly captureId: string;
      readonly by: 'policy' | 'platform';
      /** Default: the whole amount, which every provider can capture. */
      readonly part?: CapturePart;
      readonly at: Instant;
    }
  /** The provider rejected a requested capture and does not show it. */
  | {
      readonly type: 'RejectCapture';
      readonly captureId: string;
      readonly reason: string;
      readonly at: Instant;
    }
  | { readonly type: 'RequestCancel'; readonly reason: CancelReason; readonly at: Instant }
  | {
      readonly type: 'RequestRefund';
      readonly requestId: string;
      /** Null: the rest. */
      readonly amountMinor: number | null;
      readonly reference: string | null;
      readonly reason: string | null;
      /** One of `rejectedRefunds`; default: the oldest of the same amount. */
      readonly replaces?: string;
      readonly at: Instant;
    }
  /**
   * The provider has not made the refund and never will: it rejected it, or an operator has
   * checked.
   */
  | {
      readonly type: 'RejectRefund';
      readonly requestId: string;
      readonly reason: string;
      readonly at: Instant;
    }
  /** A refund of `rejectedRefunds` is abandoned. */
  | { readonly type: 'GiveUpRefund'; readonly requestId: string; readonly at: Instant }
  /** The provider does not debit the mandate, and has attempted nothing. */
  | { readonly type: 'RejectDebit'; readonly reason: string; readonly at: Instant }
  /**
   * An operator confirms that the provider no longer has the intent: it ends by its recorded state.
   */
  | { readonly type: 'ConcludeForgotten'; readonly at: Instant }
  | { readonly type: 'FinishPage'; readonly at: Instant }
  | { readonly type: 'WarnOfExpiry'; readonly at: Instant };
