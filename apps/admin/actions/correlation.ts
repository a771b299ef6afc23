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

const textOf = ({ id }: Asked): string => id.replace(/^[a-z]+_/, '');

/**
 * The refund request's id. It is derived from the action's id, so that repeating the action
 * requests the refund only one time.
 */
export const requestIdOf = (asked: Asked): string => `rfr_${textOf(asked)}`;

/**
 * The capture's id. It is derived from the action's id, so that repeating the action requests the
 * capture only one time.
 */
export const captureIdOf = (asked: Asked): string => `cap_${textOf(asked)}`;
