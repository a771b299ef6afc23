import type { WaitingSagas } from '#event-store';
import type { Instant } from '#kernel';
import type { DeadlineQueue } from '../../../apps/worker/deadlines/deadline-queue.js';
import {
  CLAIM_MS as EFFECT_CLAIM_MS, type EffectQueue,
} from '../../../apps/worker/effects/effect-queue.js';
import type { WebhookQueue } from '../../../apps/worker/webhooks/webhook-queue.js';
import type {
  DeadlineRow, EffectRow, SagaRow, SimulatedDatabase, WebhookRow,
} from './database.js';
import type { Exchange } from './exchange.js';

const CLAIM_MS = 30_000;

const isFirst = (database: SimulatedDatabase, job: EffectRow): boolean =>
  !database.effects.some((other) =>
    other.subjectId === job.subjectId && other.ordinal < job.ordinal && other.state !== 'done');

const byOrdinal = (a: EffectRow, b: EffectRow): number => a.ordinal - b.ordinal;

const textOf = (at: Instant | null): string => at ?? '';

/** Never begun, due for another look, or left alone in the middle of a call: `limit` of each. */
export const claimableEffects = (
  database: SimulatedDatabase, now: Instant, nowMs: number, limit: number,
): readonly EffectRow[] => {
  const open = database.effects.filter((job) =>
    job.state !== 'done' && job.state !== 'stuck' && isFirst(database, job));
  const fresh = open.filter(({ state }) => state === 'ready').sort(byOrdinal);
  const due = open.filter(({ state, dueAt }) => state === 'waiting' && textOf(dueAt) <= now)
    .sort((a, b) => textOf(a.dueAt).localeCompare(textOf(b.dueAt)) || byOrdinal(a, b));
  const left = open.filter(({ state, claimedUntilMs }) =>
    state === 'calling' && claimedUntilMs < nowMs).sort(byOrdinal);
  return [fresh, due, left].flatMap((kind) => kind.slice(0, limit)).sort(byOrdinal)
    .slice(0, limit);
};

export const simulatedEffects = (
  database: SimulatedDatabase, exchange: Exchange, nowMs: () => number,
): Pick<EffectQueue, 'claim' | 'extend' | 'putBack'> => ({
  // There is one release: nothing waits for a newer one.
  putBack: () => Promise.resolve(),
  claim: (now, limit) => exchange('claim calls', 'plain', () =>
    claimableEffects(database, now, nowMs(), limit).map((job) => {
      const found = job.state as 'ready' | 'waiting' | 'calling';
      const claim = `${job.jobId} ${job.tries + 1}`;
      const tries = job.tries + 1;
      Object.assign(job, {
        state: 'calling', claim, tries, claimedUntilMs: nowMs() + EFFECT_CLAIM_MS,
      });
      const { jobId, kind, subjectId, accountId } = job;
      const subjectVersion = database.events
        .filter(({ stream_id: id }) => id === subjectId).length;
      return { jobId, kind, subjectId, subjectVersion, accountId, tries, found, claim };
    })),
  extend: (jobs) => exchange('extend claims', 'plain', () => {
    const mine = database.effects.filter((row) => row.state === 'calling' &&
      jobs.some(({ jobId, claim }) => row.jobId === jobId && row.claim === claim));
    for (const row of mine) row.claimedUntilMs = nowMs() + EFFECT_CLAIM_MS;
    return mine.map(({ jobId }) => jobId);
  }),
});

/** SQL's LIKE, as far as deadlines use it: a text, or its beginning. */
const isLike = (kind: string, pattern: string): boolean => {
  const plain = pattern.replaceAll(/\\(.)/g, '$1');
  return pattern.endsWith('%') ? kind.startsWith(plain.slice(0, -1)) : kind === plain;
};

export const claimableDeadlines = (
  database: SimulatedDatabase, now: Instant, nowMs: number, patterns: readonly string[],
): readonly DeadlineRow[] =>
  [...database.deadlines.values()]
    .filter(({ kind, dueAt, claimedUntilMs }) =>
      dueAt <= now && claimedUntilMs < nowMs && patterns.some((one) => isLike(kind, one)))
    .sort((a, b) => a.dueAt.localeCompare(b.dueAt));

export const simulatedDeadlines = (
  database: SimulatedDatabase, exchange: Exchange, nowMs: () => number,
): Pick<DeadlineQueue, 'claim' | 'putBack'> => ({
  claim: (now, patterns, limit) => exchange('claim deadlines', 'plain', () =>
    claimableDeadlines(database, now, nowMs(), patterns).slice(0, limit).map((row) => {
      row.claimedUntilMs = nowMs() + CLAIM_MS;
      const { kind, key, dueAt, tries } = row;
      return { kind, key, dueAt, tries };
    })),
  putBack: ({ kind, key, dueAt }, waitMs) => exchange('put a deadline back', 'plain', () => {
    const row = database.deadlines.get(`${kind} ${key}`);
    if (row?.dueAt === dueAt) row.claimedUntilMs = nowMs() + waitMs;
  }),
});

export const openWebhooks = (database: SimulatedDatabase, nowMs: number): readonly WebhookRow[] =>
  database.webhooks.filter(({ handled, claimedUntilMs }) => !handled && claimedUntilMs < nowMs);

export const simulatedWebhooks = (
  database: SimulatedDatabase, exchange: Exchange, nowMs: () => number,
): Pick<WebhookQueue, 'claim' | 'handled' | 'putBack'> => ({
  claim: (limit) => exchange('claim webhooks', 'plain', () =>
    openWebhooks(database, nowMs()).slice(0, limit).map((row) => {
      row.claimedUntilMs = nowMs() + CLAIM_MS;
      row.tries += 1;
      return { ...row };
    })),
  handled: (ids) => exchange('end webhooks', 'plain', () => {
    for (const row of database.webhooks) if (ids.includes(row.id)) row.handled = true;
  }),
  putBack: (ids, waitMs) => exchange('put webhooks back', 'plain', () => {
    for (const row of database.webhooks) {
      if (ids.includes(row.id) && !row.handled) row.claimedUntilMs = nowMs() + waitMs;
    }
  }),
});

/** Instances of sagas whose failed reaction is tried again now. */
export const claimableReactions = (
  database: SimulatedDatabase, nowMs: number,
): readonly SagaRow[] =>
  [...database.sagas.values()].filter(({ waiting, retryAtMs }) =>
    waiting !== null && retryAtMs !== null && retryAtMs <= nowMs);

export const simulatedReactions = (
  database: SimulatedDatabase, exchange: Exchange, nowMs: () => number,
): Pick<WaitingSagas, 'claim'> => ({
  claim: (limit) => exchange('claim reactions', 'plain', () =>
    claimableReactions(database, nowMs()).slice(0, limit).map((row) => {
      row.retryAtMs = nowMs() + CLAIM_MS;
      return { saga: row.saga, key: row.key };
    })),
});
