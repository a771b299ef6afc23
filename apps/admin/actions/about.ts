import type { ActionAbout } from './preview-items.js';
import type { EventStore } from '#log';
import { orderAggregate } from '#order';
import {
  capturableMinor,
  exists,
  openRequest,
  type Payment,
  paymentAggregate,
  refundableMinor,
} from '#payment';

/** Returns the amount that the action affects: that of the whole payment, or of one refund. */
export type PartOf = (payment: Payment, paidMinor: number) => number;

/** The amount of an action on the whole payment. */
export const whole: PartOf = (_, paidMinor) => paidMinor;

/** The amount of a refund: the given amount, by default all that can be refunded. */
export const refundOf =
  (amountMinor: number | undefined): PartOf =>
  (payment) =>
    amountMinor ?? refundableMinor(payment);

/** The amount of a capture: the given amount, by default all that can be captured. */
export const captureOf =
  (amountMinor: number | undefined): PartOf =>
  (payment) =>
    amountMinor ?? capturableMinor(payment);

/** The amount of a provider request. */
export const partOfCall = (kind: string): PartOf => {
  if (kind !== 'refund') return whole;
  return (payment, paidMinor) =>
    (exists(payment) ? openRequest(payment.refunds)?.amountMinor : undefined) ?? paidMinor;
};

/** The affected amount of a payment; null if the payment does not exist. */
export const aboutPayment = async (
  store: EventStore,
  paymentId: string,
  partOf: PartOf = whole,
): Promise<ActionAbout | null> => {
  const { state } = await store.load(paymentAggregate, paymentId);
  if (state.status === 'none') return null;
  const { amountMinor: ofMinor, currency } = state.terms;
  const amountMinor = partOf(state, ofMinor);
  return { subjectType: 'payment', subjectId: paymentId, amountMinor, ofMinor, currency };
};

export const aboutOrder = async (
  store: EventStore,
  orderId: string,
): Promise<ActionAbout | null> => {
  const { state } = await store.load(orderAggregate, orderId);
  if (state.status === 'not_placed') return null;
  const { amountMinor, currency } = state.terms;
  return { subjectType: 'order', subjectId: orderId, amountMinor, ofMinor: amountMinor, currency };
};
