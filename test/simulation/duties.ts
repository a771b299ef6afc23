import { msOf } from '#kernel';
import type { Checkout } from '#sagas';
import type { SimulatedDatabase } from './ports/database.js';

/**
 * The earliest future time at which a waiting job, a retry of a reaction or the relay may start;
 * `null` when there is none.
 */
export const nextDutyMs = (database: SimulatedDatabase, nowMs: number): number | null => {
  const { jobs, relay, events, sagas } = database;
  const times = [
    ...[...jobs.values()].flatMap(({ state, dueAt, heldUntilMs }) => {
      if (state !== 'waiting' && state !== 'running') return [];
      return [heldUntilMs === null ? msOf(dueAt) : heldUntilMs + 1];
    }),
    ...[...sagas.values()].flatMap(({ retryAtMs }) =>
      retryAtMs === null || retryAtMs === Infinity ? [] : [retryAtMs],
    ),
    ...(Number(relay.position) < events.length ? [relay.expiresAtMs] : []),
  ].filter((ms) => ms > nowMs);
  return times.length === 0 ? null : Math.min(...times);
};

/**
 * Invariant 4: every open saga waits for a retry, a deadline or a provider request. Returns the
 * open sagas that wait for none of these.
 */
export const forgottenSagas = ({ sagas, jobs }: SimulatedDatabase): readonly string[] =>
  [...sagas.values()]
    .filter(({ done }) => !done)
    .flatMap(({ key, state, waiting }) => {
      if (waiting !== null) return [];
      const checkout = state as Checkout;
      if (checkout.status !== 'paying') return [`the checkout of ${key} is ${checkout.status}`];
      const { paymentId } = checkout;
      const isAwaited = [...jobs.values()].some(
        (one) =>
          one.key === key ||
          one.key === paymentId ||
          (one.subjectId === paymentId && one.state !== 'done'),
      );
      return isAwaited
        ? []
        : [`the checkout of ${key} has no deadline, call or retry that could continue it`];
    });
