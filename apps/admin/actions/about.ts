import type { EventStore } from '#log';
import { orderAggregate } from '#order';
import { exists, openRequest, type Payment, paymentAggregate, takenByRefunds } from '#payment';
import type { About } from './action.js';

/** Of these whole payments, or of one refund of them. */
export type PartOf = (payment: Payment, paidMinor: number) => number;

/** All of it, as a capture takes it. */
export const whole: PartOf = (_, paidMinor) => paidMinor;

/** What a refund gives back: what is said, or all that is left. */
export const refundOf =
  (amountMinor: number | undefined): PartOf =>
  (payment, paidMinor) =>
    amountMinor ?? paidMinor - (exists(payment) ? takenByRefunds(payment.refunds) : 0);

/** What a call of this kind moves. */
export const partOfCall = (kind: string): PartOf => {
  if (kind !== 'refund') return whole;
  return (payment, paidMinor) =>
    (exists(payment) ? openRequest(payment.refunds)?.amountMinor : undefined) ?? paidMinor;
};

/** How much of a payment something is about; null where there is no such payment. */
export const aboutPayment = async (
  store: EventStore,
  paymentId: string,
  partOf: PartOf = whole,
): Promise<About | null> => {
  const { state } = await store.load(paymentAggregate, paymentId);
  if (state.status === 'none') return null;
  const { amountMinor: ofMinor, currency } = state.terms;
  const amountMinor = partOf(state, ofMinor);
  return { subjectType: 'payment', subjectId: paymentId, amountMinor, ofMinor, currency };
};

export const aboutOrder = async (store: EventStore, orderId: string): Promise<About | null> => {
  const { state } = await store.load(orderAggregate, orderId);
  if (state.status === 'not_placed') return null;
  const { amountMinor, currency } = state.terms;
  return { subjectType: 'order', subjectId: orderId, amountMinor, ofMinor: amountMinor, currency };
};
