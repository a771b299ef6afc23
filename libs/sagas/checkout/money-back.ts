import type { Instant } from '#kernel';
import { assertNever } from '#kernel';
import type { MoneyBack } from '#order';
import type { PaymentEvent } from '#payment';
import type { CheckoutCommand } from './checkout.js';

/** What has gone back by this event, or has come again, should it have paid an order; null: nothing. */
const moneyBackOf = (event: PaymentEvent): MoneyBack | null => {
  switch (event.type) {
    case 'RefundSucceeded': {
      const { refundId, requestId, amountMinor } = event;
      return { how: 'refund', refundId, requestId, amountMinor };
    }
    case 'DisputeObserved': {
      const { kind, disputeId, amountMinor, response, payerResponse } = event;
      return kind === 'sepa_return'
        ? { how: 'debit_return', disputeId, amountMinor, response }
        : { how: 'chargeback', disputeId, amountMinor, response, payerResponse };
    }
    case 'DisputeReversed': {
      const { disputeId, amountMinor } = event;
      return { how: 'dispute_won', disputeId, amountMinor };
    }
    case 'DirectDebitReturned':
      return { how: 'debit_return', disputeId: null, amountMinor: null, response: event.response };
    case 'PaymentCanceled':
      return { how: 'lost' };
    case 'IntentRequested':
    case 'IntentCreated':
    case 'IntentRejected':
    case 'AttemptRefused':
    case 'PaymentAuthorized':
    case 'DirectDebitAccepted':
    case 'DebitRequested':
    case 'DebitRejected':
    case 'PageFinished':
    case 'AuthorizationExpiring':
    case 'AuthorizationExpired':
    case 'CaptureRequested':
    case 'CaptureAccepted':
    case 'CaptureSent':
    case 'PaymentCaptured':
    case 'CancelRequested':
    case 'RefundRequested':
    case 'RefundRejected':
    case 'RefundGivenUp':
    case 'RefundObserved':
    case 'RefundSent':
    case 'RefundFailed':
    case 'DisputeMoved':
    case 'OutcomeUnknown':
    case 'OutcomeSettled':
    case 'ProviderMismatchObserved':
      return null;
    default:
      return assertNever(event);
  }
};

/**
 * A checkout that is done has an order that is paid or over. What goes back later is told to the
 * order, which knows whether this payment has paid it.
 */
export const afterCheckout = (
  paymentId: string, event: PaymentEvent, at: Instant,
): readonly CheckoutCommand[] => {
  const back = moneyBackOf(event);
  if (back === null) return [];
  return [{ to: 'order', command: { type: 'NoteMoneyBack', paymentId, ...back, at } }];
};
