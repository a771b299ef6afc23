import type { Instant } from '#kernel';
import type { OrderTerms } from './order-event.js';

/**
 * How money of a payment went back. `refund`: given back. `chargeback`, `debit_return`: taken back
 * by the payer, in a dispute of the provider's; a debit that comes back before its capture has none,
 * and takes all. `dispute_won`: what a dispute took comes again. `lost`: all of it was cancelled at
 * the provider before its cut-off.
 */
export type MoneyBack =
  | {
      readonly how: 'refund';
      readonly refundId: string;
      readonly requestId: string | null;
      readonly amountMinor: number;
    }
  | {
      readonly how: 'chargeback';
      readonly disputeId: string;
      readonly amountMinor: number;
      readonly response: string;
      readonly payerResponse: string;
    }
  | {
      readonly how: 'debit_return';
      readonly disputeId: string | null;
      readonly amountMinor: number | null;
      readonly response: string | null;
    }
  | { readonly how: 'dispute_won'; readonly disputeId: string; readonly amountMinor: number }
  | { readonly how: 'lost' };

export type OrderCommand =
  | ({ readonly type: 'PlaceOrder'; readonly at: Instant } & OrderTerms)
  | { readonly type: 'StartPayment'; readonly paymentId: string; readonly at: Instant }
  | { readonly type: 'NoteAuthorization'; readonly paymentId: string; readonly at: Instant }
  | { readonly type: 'RequestCancellation'; readonly at: Instant }
  | { readonly type: 'ReachExpiry'; readonly at: Instant }
  | {
      readonly type: 'ConfirmPaid';
      readonly paymentId: string;
      /** Not given: a direct debit was accepted. */
      readonly captureId?: string;
      readonly amountMinor: number;
      readonly at: Instant;
    }
  /** A further capture of the payment that paid the order; noted again, it changes nothing. */
  | {
      readonly type: 'NoteCapture';
      readonly paymentId: string;
      readonly captureId: string;
      readonly amountMinor: number;
      readonly at: Instant;
    }
  /** The payment has ended without money: the order ends as `outcome` says. */
  | {
      readonly type: 'CloseOrder';
      readonly outcome: 'canceled' | 'expired' | 'failed';
      readonly reason: string;
      readonly at: Instant;
    }
  /** Money of the paid order went back, or came again; told again, it changes nothing. */
  | ({
      readonly type: 'NoteMoneyBack';
      readonly paymentId: string;
      readonly at: Instant;
    } & MoneyBack);
