import type { RefundOrChargeback } from '#order';
import type { PaymentEvent } from '#payment';

type EventOf<Type extends PaymentEvent['type']> = PaymentEvent & { readonly type: Type };

/**
 * The refund or chargeback to record on the order for an event of the payment that paid the order.
 */
export const refunded = ({
  refundId,
  requestId,
  amountMinor,
}: EventOf<'RefundSucceeded'>): RefundOrChargeback => ({
  how: 'refund',
  refundId,
  requestId,
  amountMinor,
});

export const disputed = ({
  kind,
  disputeId,
  amountMinor,
  reasonCode,
  payerReasonCode,
}: EventOf<'DisputeObserved'>): RefundOrChargeback =>
  kind === 'sepa_return'
    ? { how: 'debit_return', disputeId, amountMinor, reasonCode }
    : { how: 'chargeback', disputeId, amountMinor, reasonCode, payerReasonCode };

export const disputeWon = ({
  disputeId,
  amountMinor,
}: EventOf<'DisputeReversed'>): RefundOrChargeback => ({
  how: 'dispute_won',
  disputeId,
  amountMinor,
});

export const debitReturned = ({
  reasonCode,
}: EventOf<'DirectDebitReturned'>): RefundOrChargeback => ({
  how: 'debit_return',
  disputeId: null,
  amountMinor: null,
  reasonCode,
});
