import type { Dated } from '#kernel';
import type { OrderTerms } from './order-event.js';

/**
 * A refund or chargeback of a paid order. `refund`: by the merchant. `chargeback`, `debit_return`:
 * by the payer, with a dispute at the provider; a debit that is returned before its capture has no
 * dispute, and is returned as a whole. `dispute_won`: the disputed amount is paid out again.
 * `lost`: the payment was canceled at the provider before its cut-off.
 */
export type RefundOrChargeback =
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
      readonly reasonCode: string;
      readonly payerReasonCode: string;
    }
  | {
      readonly how: 'debit_return';
      readonly disputeId: string | null;
      readonly amountMinor: number | null;
      readonly reasonCode: string | null;
    }
  | { readonly how: 'dispute_won'; readonly disputeId: string; readonly amountMinor: number }
  | { readonly how: 'lost' };

export type OrderCommand = Dated<
  | ({ readonly type: 'PlaceOrder' } & OrderTerms)
  | { readonly type: 'StartPayment'; readonly paymentId: string }
  | { readonly type: 'NoteAuthorization'; readonly paymentId: string }
  | { readonly type: 'RequestCancellation' }
  | { readonly type: 'ReachExpiry' }
  | {
      readonly type: 'ConfirmPaid';
      readonly paymentId: string;
      /** The id of the capture; absent if a direct debit was accepted. */
      readonly captureId?: string;
      readonly amountMinor: number;
    }
  /** A further capture of the payment that paid the order; idempotent. */
  | {
      readonly type: 'NoteCapture';
      readonly paymentId: string;
      readonly captureId: string;
      readonly amountMinor: number;
    }
  /** The payment has ended without money: the order ends as `outcome` says. */
  | {
      readonly type: 'CloseOrder';
      readonly outcome: 'canceled' | 'expired' | 'failed';
      readonly reason: string;
    }
  /** A refund, a chargeback or a won dispute of the paid order; idempotent. */
  | ({
      readonly type: 'NoteRefundOrChargeback';
      readonly paymentId: string;
    } & RefundOrChargeback)
>;
