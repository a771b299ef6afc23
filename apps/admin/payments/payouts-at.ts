import { domainEvent, type EventStore } from '#log';
import { fold } from '#kernel';
import { payoutAggregate, type PayoutEvent } from '#payout';
import { businessTimeOf } from '../entities/business-times.js';

/**
 * Filters the payouts that existed at an instant of business time. Each has the status that it had
 * then, computed from the events up to that instant. The order of the payouts does not change.
 */
export const payoutsAt = async <Row extends { readonly payoutId: string }>(
  store: EventStore,
  payouts: readonly Row[],
  at: string,
) => {
  const events = await store.readStreams(
    payouts.map(({ payoutId }) => ({ streamType: 'payout', streamId: payoutId })),
  );
  return payouts.flatMap((payout) => {
    const earlier = events.filter(
      (event) => event.streamId === payout.payoutId && businessTimeOf(event) <= at,
    );
    const { status } = fold(payoutAggregate.decider, earlier.map(domainEvent<PayoutEvent>));
    return status === 'none' ? [] : [{ ...payout, status }];
  });
};
