import type { Instant } from '#kernel';
import type { OrderTerms } from './order-event.js';

export type OrderCommand =
  | ({ readonly type: 'PlaceOrder'; readonly at: Instant } & OrderTerms)
  | { readonly type: 'StartPayment'; readonly paymentId: string; readonly at: Instant }
  | { readonly type: 'NoteAuthorization'; readonly paymentId: string; readonly at: Instant }
  | { readonly type: 'RequestCancellation'; readonly at: Instant }
  | { readonly type: 'ReachExpiry'; readonly at: Instant }
  | {
      readonly type: 'ConfirmPaid';
      readonly paymentId: string;
      readonly amountMinor: number;
      readonly at: Instant;
    }
  /** The payment has ended without money: the order ends as `outcome` says. */
  | {
      readonly type: 'CloseOrder';
      readonly outcome: 'canceled' | 'expired' | 'failed';
      readonly reason: string;
      readonly at: Instant;
    };
