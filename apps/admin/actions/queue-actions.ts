import type { Pool } from 'pg';
import type { EventStore } from '#event-store';
import { Rejection } from '#kernel';
import { isStreamType, ParkedKeys, type ParkedRef } from '#messaging';
import { type StepOnceParts, StuckCalls } from '#operations';
import type { Subject } from '../audit/audit.js';
import { aboutPayment, partOfCall } from './about.js';
import { type Action, NOTHING, type Target } from './action.js';
import type { Follow } from './told.js';

/** Whom a rebuild is asked of: each has a cursor of its own. */
const CURSORS = `SELECT FROM log_cursors WHERE name = 'projection:' || $1`;

const parkedRef = ({ subjectId, consumer = '', streamType = '' }: Target): ParkedRef => {
  if (!isStreamType(streamType)) {
    throw new Rejection('not_parked', 'name the consumer and the stream type of a parked key');
  }
  return { consumer, streamType, streamId: subjectId };
};

const streamOf = ({ subjectId, streamType = 'stream' }: Target): Subject =>
  ({ type: streamType, id: subjectId });

const releaseParked = (parked: ParkedKeys): Action => ({
  movesMoney: false,
  subjectOf: streamOf,
  preview: async ({ target }) => {
    const { consumer, eventType, version } = await parked.get(parkedRef(target));
    return { ...NOTHING, follows: [{ code: 'messages_taken', consumer, eventType, version }] };
  },
  carriedOutAs: 'rows',
  execute: async ({ target }, client) => {
    await parked.requestRelease(parkedRef(target), client);
    return {};
  },
});

/** A skip names the version that somebody has looked at: the key may be parked at a later one. */
const versionOf = ({ version }: Target): number => {
  if (version === undefined) throw new Rejection('version_missing', 'name the parked version');
  return version;
};

const skipParked = (parked: ParkedKeys): Action => ({
  movesMoney: false,
  subjectOf: streamOf,
  preview: async ({ target }) => {
    const seen = versionOf(target);
    const { eventType, version, consumer } = await parked.get(parkedRef(target));
    if (version !== seen) {
      throw new Rejection('already_taken', `${consumer} waits at version ${version} by now`);
    }
    return {
      ...NOTHING, follows: [{ code: 'later_messages_taken', consumer }],
      notes: [{ code: 'message_passed', consumer, eventType, version }],
    };
  },
  carriedOutAs: 'rows',
  execute: async ({ target, reason, actor }, client) => {
    const skip = { ref: parkedRef(target), version: versionOf(target), reason, actor };
    await parked.skip(client, skip);
    return {};
  },
});

const retryCall = (calls: StuckCalls, store: EventStore): Action => ({
  movesMoney: false,
  subjectOf: ({ subjectId }) => ({ type: 'job', id: subjectId }),
  preview: async ({ target }) => {
    const { kind, subjectId } = await calls.get(target.subjectId);
    const follow: Follow = kind === 'refund'
      ? { code: 'refund_looked_for', subjectId }
      : { code: 'call_looked_for', call: kind, subjectId };
    const about = await aboutPayment(store, subjectId, partOfCall(kind));
    return { ...NOTHING, about, follows: [follow] };
  },
  carriedOutAs: 'rows',
  execute: async ({ target, reason }, client) => {
    await calls.release(target.subjectId, reason, client);
    return {};
  },
});

const rebuildProjection = (pool: Pool): Action => ({
  movesMoney: false,
  subjectOf: ({ subjectId }) => ({ type: 'projection', id: subjectId }),
  preview: async ({ target }) => {
    const { rowCount } = await pool.query(CURSORS, [target.subjectId]);
    if (rowCount === 0) throw new Rejection('entity_not_found', 'there is no such projection');
    return { ...NOTHING, follows: [{ code: 'list_rebuilt' }] };
  },
  carriedOutAs: 'rows',
  execute: async ({ target }, client) => {
    await client.query(
      `INSERT INTO projection_rebuilds (projection) VALUES ($1)
       ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`,
      [target.subjectId],
    );
    return {};
  },
});

/** Parked keys, stuck calls and projections. */
export const queueActions = ({ pool, store }: StepOnceParts) => {
  const parked = new ParkedKeys(pool);
  return {
    release_parked: releaseParked(parked), skip_parked: skipParked(parked),
    retry_call: retryCall(new StuckCalls(pool), store), rebuild_projection: rebuildProjection(pool),
  };
};
