import type { OrderCommand } from './order-command.js';
import type { OrderEvent } from './order-event.js';
import type { KnownOrder, RefundsAndChargebacks } from './order.js';

type NoteRefundOrChargeback = OrderCommand & { type: 'NoteRefundOrChargeback' };
type RefundOrChargebackEvent = Extract<
  OrderEvent,
  {
    type:
      | 'OrderRefunded'
      | 'OrderChargedBack'
      | 'OrderDisputeWon'
      | 'OrderDebitReturned'
      | 'OrderPaymentVoided';
  }
>;

type Won =
  | (NoteRefundOrChargeback & { how: 'dispute_won' })
  | Extract<OrderEvent, { type: 'OrderDisputeWon' }>;

const isWon = (fact: NoteRefundOrChargeback | RefundOrChargebackEvent): fact is Won =>
  fact.type === 'NoteRefundOrChargeback'
    ? fact.how === 'dispute_won'
    : fact.type === 'OrderDisputeWon';

/** Identifies a refund or chargeback, so that it is recorded only once. */
const keyOf = (fact: NoteRefundOrChargeback | RefundOrChargebackEvent): string => {
  if ('refundId' in fact) return fact.refundId;
  if (isWon(fact)) return `won ${fact.disputeId}`;
  if ('disputeId' in fact) return fact.disputeId ?? 'return';
  return 'lost';
};

const eventOf = (
  command: NoteRefundOrChargeback,
  order: Extract<KnownOrder, { status: 'paid' }>,
): RefundOrChargebackEvent => {
  const { paymentId, at } = command;
  const {
    paidMinor,
    terms: { currency },
  } = order;
  const base = { paymentId, currency, at } as const;
  switch (command.how) {
    case 'refund': {
      const { refundId, requestId, amountMinor } = command;
      const refundedMinor = order.refundsAndChargebacks.refundedMinor + amountMinor;
      return { type: 'OrderRefunded', ...base, refundId, requestId, amountMinor, refundedMinor };
    }
    case 'chargeback': {
      const { disputeId, amountMinor, reasonCode, payerReasonCode } = command;
      return {
        type: 'OrderChargedBack',
        ...base,
        disputeId,
        amountMinor,
        reasonCode,
        payerReasonCode,
      };
    }
    case 'dispute_won': {
      const { disputeId, amountMinor } = command;
      return { type: 'OrderDisputeWon', ...base, disputeId, amountMinor };
    }
    case 'debit_return': {
      const { disputeId, reasonCode } = command;
      const amountMinor = command.amountMinor ?? paidMinor;
      return { type: 'OrderDebitReturned', ...base, disputeId, amountMinor, reasonCode };
    }
    case 'lost':
      return { type: 'OrderPaymentVoided', ...base, amountMinor: paidMinor };
  }
};

/**
 * Records a refund or chargeback of the payment that paid the order. Ignored if the order is not
 * paid, or was paid by a different payment.
 */
export const noteRefundOrChargeback = (
  order: KnownOrder,
  command: NoteRefundOrChargeback,
): readonly OrderEvent[] => {
  if (order.status !== 'paid' || order.payments.at(-1) !== command.paymentId) return [];
  const { recorded } = order.refundsAndChargebacks;
  // A dispute can be won only if its chargeback is recorded.
  if (command.how === 'dispute_won' && !recorded.includes(command.disputeId)) return [];
  return recorded.includes(keyOf(command)) ? [] : [eventOf(command, order)];
};

export const afterRefundOrChargeback = (
  before: RefundsAndChargebacks,
  event: RefundOrChargebackEvent,
): RefundsAndChargebacks => {
  const { refundedMinor, chargedBackMinor } = before;
  const recorded = [...before.recorded, keyOf(event)];
  switch (event.type) {
    case 'OrderRefunded':
      return { refundedMinor: event.refundedMinor, chargedBackMinor, recorded };
    case 'OrderDisputeWon':
      return { refundedMinor, chargedBackMinor: chargedBackMinor - event.amountMinor, recorded };
    case 'OrderChargedBack':
    case 'OrderDebitReturned':
    case 'OrderPaymentVoided':
      return { refundedMinor, chargedBackMinor: chargedBackMinor + event.amountMinor, recorded };
  }
};
