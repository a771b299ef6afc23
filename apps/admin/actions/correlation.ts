import type { EventStore } from '#log';
import { Rejection } from '#kernel';
import { paymentAggregate } from '#payment';
import type { Asked } from './action.js';

export const notFound = (what: string): Rejection =>
  new Rejection('entity_not_found', `${what} not found`);

/** Finds the order of a payment. Throws `Rejection('entity_not_found')`. */
export const orderOf =
  (store: EventStore) =>
  async ({ target }: Asked): Promise<string> => {
    const { state } = await store.load(paymentAggregate, target.subjectId);
    if (state.status === 'none') throw notFound('payment');
    return state.terms.orderId;
  };
