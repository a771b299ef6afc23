import type { Pool } from 'pg';
import { type EventStore, type SagaRef, WaitingSagas } from '#log';
import { Rejection } from '#kernel';
import { type StepOnceParts, StuckCalls, type AuditSubject as Subject } from '#operations';
import { aboutOrder, aboutPayment, partOfCall } from './about.js';
import { type Action, NOTHING, type Target } from './action.js';
import type { Follow } from './preview-codes.js';
import type { ActionAbout } from './preview-items.js';

/** The projections that can be rebuilt: each has a cursor in the event log. */
const CURSORS = `SELECT FROM log_cursors WHERE name = 'projection:' || $1`;

const sagaRef = ({ subjectId: key, saga }: Target): SagaRef => {
  if (saga === undefined) throw new Rejection('workflow_missing', 'specify the workflow in `saga`');
  return { saga, key };
};

const SUBJECT_TYPES: Readonly<Record<string, string>> = { onboarding: 'merchant' };

const subjectOf = ({ subjectId, saga = '' }: Target): Subject => ({
  type: SUBJECT_TYPES[saga] ?? 'order',
  id: subjectId,
});

/** The amount of the order whose money the reaction may move; null: the reaction moves none. */
const aboutReaction = (store: EventStore, target: Target): Promise<ActionAbout | null> =>
  subjectOf(target).type === 'order' ? aboutOrder(store, target.subjectId) : Promise.resolve(null);

const retryReaction = (waiting: WaitingSagas, store: EventStore): Action => ({
  takesTwo: false,
  subjectOf,
  preview: async ({ target }) => {
    const { saga, event, deadline } = await waiting.get(sagaRef(target));
    const stimulus = event?.type ?? deadline ?? '';
    const about = await aboutReaction(store, target);
    return { ...NOTHING, about, follows: [{ code: 'reaction_retried', saga, stimulus }] };
  },
  executedAs: 'rows',
  execute: async ({ target }, client) => {
    await waiting.retry(sagaRef(target), client);
  },
});

/**
 * The trigger (event or deadline) of the failed reaction that the user wants to discard. The saga
 * may have failed at a different trigger since the user read the list.
 */
const stimulusOf = ({ stimulus }: Target): string => {
  if (stimulus === undefined)
    throw new Rejection(
      'stimulus_missing',
      'specify the event or deadline to discard in `stimulus`',
    );
  return stimulus;
};

/**
 * Discards a failed saga reaction. The reaction may have been about to capture a payment, so a
 * discard needs an approval.
 */
const discardReaction = (waiting: WaitingSagas, store: EventStore): Action => ({
  takesTwo: true,
  subjectOf,
  preview: async ({ target }) => {
    const seen = stimulusOf(target);
    const { saga, event, deadline, stimulus } = await waiting.get(sagaRef(target));
    if (stimulus !== seen) {
      throw new Rejection(
        'already_reacted',
        `${saga} now fails at another event or deadline: reload the list`,
      );
    }
    return {
      ...NOTHING,
      about: await aboutReaction(store, target),
      follows: [{ code: 'later_reactions_run', saga }],
      notes: [{ code: 'reaction_discarded', saga, stimulus: event?.type ?? deadline ?? '' }],
    };
  },
  executedAs: 'rows',
  execute: async ({ target, reason, actor }, client) => {
    const discard = { ref: sagaRef(target), stimulus: stimulusOf(target), reason, actor };
    await waiting.discard(client, discard);
  },
});

const retryCall = (calls: StuckCalls, store: EventStore): Action => ({
  takesTwo: false,
  subjectOf: ({ subjectId }) => ({ type: 'job', id: subjectId }),
  preview: async ({ target }) => {
    const { kind, subjectId } = await calls.get(target.subjectId);
    const follow: Follow =
      kind === 'refund'
        ? { code: 'refund_searched', subjectId }
        : { code: 'call_searched', call: kind, subjectId };
    const about = await aboutPayment(store, subjectId, partOfCall(kind));
    return { ...NOTHING, about, follows: [follow] };
  },
  executedAs: 'rows',
  execute: async ({ target, reason }, client) => {
    return { retried: [await calls.release(target.subjectId, reason, client)] };
  },
});

const rebuildProjection = (pool: Pool): Action => ({
  takesTwo: false,
  subjectOf: ({ subjectId }) => ({ type: 'projection', id: subjectId }),
  preview: async ({ target }) => {
    const { rowCount } = await pool.query(CURSORS, [target.subjectId]);
    if (rowCount === 0) throw new Rejection('entity_not_found', 'projection not found');
    return { ...NOTHING, follows: [{ code: 'list_rebuilt' }] };
  },
  executedAs: 'rows',
  execute: async ({ target }, client) => {
    await client.query(
      `INSERT INTO projection_rebuilds (projection) VALUES ($1)
       ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`,
      [target.subjectId],
    );
  },
});

/** Actions on failed reactions, failed provider requests and projections. */
export const queueActions = ({ pool, store }: StepOnceParts) => {
  const waiting = new WaitingSagas(pool);
  return {
    retry_reaction: retryReaction(waiting, store),
    discard_reaction: discardReaction(waiting, store),
    retry_request: retryCall(new StuckCalls(pool), store),
    rebuild_projection: rebuildProjection(pool),
  };
};
