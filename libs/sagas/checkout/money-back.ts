import type { MoneyBack } from '#order';
import type { PaymentEvent } from '#payment';

type EventOf<Type extends PaymentEvent['type']> = PaymentEvent & { readonly type: Type };

/** What has gone back by an event, or has come again, should its payment have paid an order. */
export const refunded = ({
  refundId,
  requestId,
  amountMinor,
}: EventOf<'RefundSucceeded'>): MoneyBack => ({ how: 'refund', refundId, requestId, amountMinor });

export const disputed = ({
  kind,
  disputeId,
  amountMinor,
  response,
  payerResponse,
}: EventOf<'DisputeObserved'>): MoneyBack =>
  kind === 'sepa_return'
    ? { how: 'debit_return', disputeId, amountMinor, response }
    : { how: 'chargeback', disputeId, amountMinor, response, payerResponse };

export const disputeWon = ({ disputeId, amountMinor }: EventOf<'DisputeReversed'>): MoneyBack => ({
  how: 'dispute_won',
  disputeId,
  amountMinor,
});

export const debitReturned = ({ response }: EventOf<'DirectDebitReturned'>): MoneyBack => ({
  how: 'debit_return',
  disputeId: null,
  amountMinor: null,
  response,
});
