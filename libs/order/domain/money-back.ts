import type { OrderCommand } from './order-command.js';
import type { OrderEvent } from './order-event.js';
import type { KnownOrder, MoneyBackTold } from './order.js';

type NoteMoneyBack = OrderCommand & { type: 'NoteMoneyBack' };
type MoneyBackEvent = Extract<
  OrderEvent,
  {
    type:
      | 'OrderRefunded'
      | 'OrderChargedBack'
      | 'OrderDisputeWon'
      | 'OrderDebitReturned'
      | 'OrderPaymentLost';
  }
>;

type Won =
  | (NoteMoneyBack & { how: 'dispute_won' })
  | Extract<OrderEvent, { type: 'OrderDisputeWon' }>;

const isWon = (fact: NoteMoneyBack | MoneyBackEvent): fact is Won =>
  fact.type === 'NoteMoneyBack' ? fact.how === 'dispute_won' : fact.type === 'OrderDisputeWon';

/** Names what went back, so that it is told once. */
const keyOf = (fact: NoteMoneyBack | MoneyBackEvent): string => {
  if ('refundId' in fact) return fact.refundId;
  if (isWon(fact)) return `won ${fact.disputeId}`;
  if ('disputeId' in fact) return fact.disputeId ?? 'return';
  return 'lost';
};

const eventOf = (
  command: NoteMoneyBack,
  order: Extract<KnownOrder, { status: 'paid' }>,
): MoneyBackEvent => {
  const { paymentId, at } = command;
  const {
    paidMinor,
    terms: { currency },
  } = order;
  const base = { paymentId, currency, at } as const;
  switch (command.how) {
    case 'refund': {
      const { refundId, requestId, amountMinor } = command;
      const refundedMinor = order.moneyBack.refundedMinor + amountMinor;
      return { type: 'OrderRefunded', ...base, refundId, requestId, amountMinor, refundedMinor };
    }
    case 'chargeback': {
      const { disputeId, amountMinor, response, payerResponse } = command;
      return { type: 'OrderChargedBack', ...base, disputeId, amountMinor, response, payerResponse };
    }
    case 'dispute_won': {
      const { disputeId, amountMinor } = command;
      return { type: 'OrderDisputeWon', ...base, disputeId, amountMinor };
    }
    case 'debit_return': {
      const { disputeId, response } = command;
      const amountMinor = command.amountMinor ?? paidMinor;
      return { type: 'OrderDebitReturned', ...base, disputeId, amountMinor, response };
    }
    case 'lost':
      return { type: 'OrderPaymentLost', ...base, amountMinor: paidMinor };
  }
};

/** Only a paid order, and of the payment that paid it: what else goes back it never had. */
export const noteMoneyBack = (order: KnownOrder, command: NoteMoneyBack): readonly OrderEvent[] => {
  if (order.status !== 'paid' || order.payments.at(-1) !== command.paymentId) return [];
  const { told } = order.moneyBack;
  // Only what was told as taken back can come again.
  if (command.how === 'dispute_won' && !told.includes(command.disputeId)) return [];
  return told.includes(keyOf(command)) ? [] : [eventOf(command, order)];
};

export const toldOf = (before: MoneyBackTold, event: MoneyBackEvent): MoneyBackTold => {
  const { refundedMinor, takenBackMinor } = before;
  const told = [...before.told, keyOf(event)];
  switch (event.type) {
    case 'OrderRefunded':
      return { refundedMinor: event.refundedMinor, takenBackMinor, told };
    case 'OrderDisputeWon':
      return { refundedMinor, takenBackMinor: takenBackMinor - event.amountMinor, told };
    case 'OrderChargedBack':
    case 'OrderDebitReturned':
    case 'OrderPaymentLost':
      return { refundedMinor, takenBackMinor: takenBackMinor + event.amountMinor, told };
  }
};
