import type { CaptureCapabilities, Instant } from '#kernel';
import type { Observation } from './observation.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';

/** How much is captured, where the provider `can` do more than capture the whole. */
export interface CapturePart {
  /** Minor units; null: what is left. */
  readonly amountMinor: number | null;
  readonly can: CaptureCapabilities;
  /** What is left after it is released; of a provider that captures once, always. */
  readonly isFinal?: boolean;
}

export type PaymentCommand =
  | ({ readonly type: 'RequestIntent'; readonly at: Instant } & PaymentTerms)
  /** The one door for provider facts: a webhook, a poll and a call's answer all end here. */
  | {
      readonly type: 'ObservePayment';
      /** The payment that is observed: the intent must carry it as its reference. */
      readonly paymentId: string;
      readonly observation: Observation;
      /** The call whose outcome this read settles, also when it shows that nothing was done. */
      readonly settles?: ProviderCall;
      /** Made directly before a call of this kind, so nothing that it shows is the call's doing. */
      readonly precedes?: 'refund';
      readonly at: Instant;
    }
  /** The provider refused to create the intent: final, nothing exists there. */
  | { readonly type: 'ObserveIntentRejection'; readonly reason: string; readonly at: Instant }
  /** The intent that was shown as this payment's is another payment's already. */
  | { readonly type: 'NoteTakenIntent'; readonly intentId: string; readonly at: Instant }
  | { readonly type: 'NoteUnknownOutcome'; readonly call: ProviderCall; readonly at: Instant }
  | {
      readonly type: 'RequestCapture';
      /** Ours (`cap_…`), fresh. */
      readonly captureId: string;
      readonly by: 'policy' | 'platform';
      /** Not given: the whole amount, which every provider captures. */
      readonly part?: CapturePart;
      readonly at: Instant;
    }
  | { readonly type: 'RequestCancel'; readonly reason: CancelReason; readonly at: Instant }
  | {
      readonly type: 'RequestRefund';
      readonly requestId: string;
      /** Null: what is left. */
      readonly amountMinor: number | null;
      readonly reference: string | null;
      readonly reason: string | null;
      /** One of `unmadeRefunds`; default: the oldest of the same amount. */
      readonly replaces?: string;
      readonly at: Instant;
    }
  /** The provider has not made the refund and never will: it refused, or a person found out. */
  | {
      readonly type: 'RejectRefund';
      readonly requestId: string;
      readonly reason: string;
      readonly at: Instant;
    }
  /** Nobody is to make a refund of `unmadeRefunds` any more. */
  | { readonly type: 'GiveUpRefund'; readonly requestId: string; readonly at: Instant }
  /** The provider does not debit the mandate, and has tried nothing. */
  | { readonly type: 'RejectDebit'; readonly reason: string; readonly at: Instant }
  /** A person's word that the provider has forgotten the intent: it ends by what is known of it. */
  | { readonly type: 'ConcludeForgotten'; readonly at: Instant }
  | { readonly type: 'FinishPage'; readonly at: Instant }
  | { readonly type: 'WarnOfExpiry'; readonly at: Instant };
