import type { EventStore } from '#log';
import { Rejection } from '#kernel';
import { paymentAggregate } from '#payment';
import type { Asked } from './action.js';

export const notFound = (what: string): Rejection =>
  new Rejection('entity_not_found', `there is no such ${what}`);

/** The order that a payment is for. Throws `Rejection('entity_not_found')`. */
export const orderOf =
  (store: EventStore) =>
  async ({ target }: Asked): Promise<string> => {
    const { state } = await store.load(paymentAggregate, target.subjectId);
    if (state.status === 'none') throw notFound('payment');
    return state.terms.orderId;
  };

const textOf = ({ id }: Asked): string => id.replace(/^[a-z]+_/, '');

/** Names a refund by the action, so that asking twice is asking once. */
export const requestIdOf = (asked: Asked): string => `rfr_${textOf(asked)}`;

/** Names a capture by the action, so that asking twice is asking once. */
export const captureIdOf = (asked: Asked): string => `cap_${textOf(asked)}`;
