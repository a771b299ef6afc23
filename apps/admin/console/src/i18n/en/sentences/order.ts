import type { EventOf, Sentences } from '../../../story/sentence';

export const orderSentences: Sentences<EventOf<'order'>> = {
  OrderPlaced: ({ reference }, { total, by }) => `Placed the order ${reference} of ${total}${by}`,
  OrderPaymentStarted: ({ ordinal }, { total }) =>
    ordinal === 1
      ? `Started the payment of ${total}`
      : `Started payment ${ordinal} of the order, of ${total}`,
  OrderAuthorized: (_, { total }) => `The order is authorized: ${total} can be captured`,
  OrderPaid: ({ amountMinor, captureId }, { money, requester }) =>
    `The order is paid: ${money(amountMinor)}${requester(captureId)}`,
  OrderCaptured: ({ amountMinor, paidMinor, captureId }, { money, requester }) =>
    `Captured a further ${money(amountMinor)}${requester(captureId)}; ` +
    `${money(paidMinor)} are paid in total`,
  OrderCaptureCorrected: ({ amountMinor, previousAmountMinor, paidMinor }, { money }) =>
    `The provider captured ${money(amountMinor)} instead of ${money(previousAmountMinor)}; ` +
    `${money(paidMinor)} are paid in total`,
  OrderCancellationRequested: (_, { by }) => `Requested the cancellation of the order${by}`,
  OrderCanceled: 'The order is canceled: no money was collected',
  OrderExpiryReached: 'The time to pay the order has ended',
  OrderExpired: 'The order expired without a payment',
  OrderFailed: ({ reason }, say) => `The order failed: ${say.reason(reason)}`,
  OrderRefunded: ({ amountMinor, refundedMinor, requestId }, { money, reference }) =>
    `Refunded ${money(amountMinor)}${reference(requestId)}; ` +
    `${money(refundedMinor)} of the order are refunded in total`,
  OrderChargedBack: ({ amountMinor, reasonCode }, { money, bank }) =>
    `Charged back ${money(amountMinor)}: ${bank(reasonCode)}`,
  OrderDisputeWon: ({ amountMinor }, { money }) =>
    `The dispute was won: the chargeback of ${money(amountMinor)} is reversed`,
  OrderDebitReturned: ({ amountMinor, reasonCode }, { money, bank }) =>
    `The payer’s bank returned the debit of ${money(amountMinor)}: ${bank(reasonCode)}`,
  OrderPaymentVoided: ({ amountMinor }, { money }) =>
    `Voided the payment of ${money(amountMinor)} before it was sent to the bank`,
};
