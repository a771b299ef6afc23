import { assertNever } from '#kernel';
import type { OrderCommand } from './order-command.js';
import type { OrderEvent } from './order-event.js';
import type { KnownOrder, MoneyBackTold } from './order.js';

type NoteMoneyBack = OrderCommand & { type: 'NoteMoneyBack' };
type MoneyBackEvent = Extract<
  OrderEvent,
  { type: 'OrderRefunded' | 'OrderChargedBack' | 'OrderDebitReturned' | 'OrderPaymentLost' }
>;

/** Names what went back, so that it is told once. */
const keyOf = (fact: NoteMoneyBack | MoneyBackEvent): string => {
  if ('refundId' in fact) return fact.refundId;
  if ('disputeId' in fact) return fact.disputeId ?? 'return';
  return 'lost';
};

const eventOf = (
  command: NoteMoneyBack, order: Extract<KnownOrder, { status: 'paid' }>,
): MoneyBackEvent => {
  const { paymentId, at } = command;
  const { amountMinor: paidMinor, currency } = order.terms;
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
    case 'debit_return': {
      const { disputeId, response } = command;
      const amountMinor = command.amountMinor ?? paidMinor;
      return { type: 'OrderDebitReturned', ...base, disputeId, amountMinor, response };
    }
    case 'lost':
      return { type: 'OrderPaymentLost', ...base, amountMinor: paidMinor };
    default:
      return assertNever(command);
  }
};

/** Only a paid order, and of the payment that paid it: what else goes back it never had. */
export const noteMoneyBack = (order: KnownOrder, command: NoteMoneyBack): readonly OrderEvent[] => {
  if (order.status !== 'paid' || order.payments.at(-1) !== command.paymentId) return [];
  return order.moneyBack.told.includes(keyOf(command)) ? [] : [eventOf(command, order)];
};

export const toldOf = (before: MoneyBackTold, event: MoneyBackEvent): MoneyBackTold => {
  const { refundedMinor, takenBackMinor } = before;
  const told = [...before.told, keyOf(event)];
  return event.type === 'OrderRefunded'
    ? { refundedMinor: event.refundedMinor, takenBackMinor, told }
    : { refundedMinor, takenBackMinor: takenBackMinor + event.amountMinor, told };
};
