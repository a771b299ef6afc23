import { msOf } from '#kernel';
import type { Checkout } from '#sagas';
import type { SimulatedDatabase } from './ports/database.js';

/** When a claim or a due instant lets the next duty be taken up; `null`: there is none. */
export const nextDutyMs = (database: SimulatedDatabase, nowMs: number): number | null => {
  const { deadlines, effects, webhooks, tasks, relay, events, sagas } = database;
  const times = [
    ...[...deadlines.values()].map(({ dueAt, claimedUntilMs }) =>
      Math.max(msOf(dueAt), claimedUntilMs + 1)),
    ...effects.flatMap(({ state, dueAt, claimedUntilMs }) => {
      if (state === 'waiting' && dueAt !== null) return [msOf(dueAt)];
      return state === 'calling' ? [claimedUntilMs + 1] : [];
    }),
    ...webhooks.filter(({ handled }) => !handled).map(({ claimedUntilMs }) => claimedUntilMs + 1),
    ...tasks.map(({ dueAt, claimedUntilMs }) => Math.max(msOf(dueAt), claimedUntilMs + 1)),
    ...[...sagas.values()].flatMap(({ retryAtMs }) =>
      (retryAtMs === null || retryAtMs === Infinity ? [] : [retryAtMs])),
    ...(Number(relay.position) < events.length ? [relay.expiresAtMs] : []),
  ].filter((ms) => ms > nowMs);
  return times.length === 0 ? null : Math.min(...times);
};

/** Invariant 4: sagas that wait for nothing that will come. */
export const forgottenSagas = (
  { sagas, deadlines, effects }: SimulatedDatabase,
): readonly string[] =>
  [...sagas.values()].filter(({ done }) => !done).flatMap(({ key, state, waiting }) => {
    if (waiting !== null) return [];
    const checkout = state as Checkout;
    if (checkout.status !== 'paying') return [`the checkout of ${key} is ${checkout.status}`];
    const { paymentId } = checkout;
    const isAwaited =
      [...deadlines.values()].some((one) => one.key === key || one.key === paymentId) ||
      effects.some(({ subjectId, state: job }) => subjectId === paymentId && job !== 'done');
    return isAwaited ? [] : [`the checkout of ${key} waits for nothing`];
  });
