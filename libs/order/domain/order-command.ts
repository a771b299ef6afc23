import type { Dated } from '#kernel';
import type { OrderTerms } from './order-event.js';

/**
 * A movement of a paid order's money after the payment. `refund`: the platform returned the money.
 * `chargeback`: the payer disputed the payment. `debit_return`: the payer's bank returned a direct
 * debit; if the return precedes the capture, there is no dispute, and the whole amount is returned.
 * `dispute_won`: the disputed amount is paid out again. `lost`: the payment was canceled at the
 * provider before its clearing, so the money never arrived.
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
      /** The id of the capture; absent for a direct debit, which is paid when it is accepted. */
      readonly captureId?: string;
      readonly amountMinor: number;
    }
  /** A capture of the payment that paid the order, with its latest amount; idempotent. */
  | {
      readonly type: 'NoteCapture';
      readonly paymentId: string;
      readonly captureId: string;
      readonly amountMinor: number;
    }
  /** The payment has ended without collecting money; the order ends with this `outcome`. */
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
