import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import { isStreamType, type ParkedKey, ParkedKeys, type ParkedRef } from '#messaging';
import { StuckCalls } from '#operations';
import type { Subject } from '../audit/audit.js';
import { type Action, NOTHING, type Target } from './action.js';

/** Whom a rebuild is asked of: each has a cursor of its own. */
const CURSORS = `SELECT FROM log_cursors WHERE name = 'projection:' || $1`;

const parkedRef = ({ subjectId, consumer = '', streamType = '' }: Target): ParkedRef => {
  if (!isStreamType(streamType)) {
    throw new Rejection('not_parked', 'name the consumer and the stream type of a parked key');
  }
  return { consumer, streamType, streamId: subjectId };
};

const find = async (parked: ParkedKeys, target: Target): Promise<ParkedKey> => {
  const ref = parkedRef(target);
  const found = (await parked.list(ref.consumer)).find(({ streamType, streamId }) =>
    streamType === ref.streamType && streamId === ref.streamId);
  if (found === undefined) throw new Rejection('not_parked', 'there is no such parked key');
  return found;
};

const streamOf = ({ subjectId, streamType = 'stream' }: Target): Subject =>
  ({ type: streamType, id: subjectId });

const releaseParked = (parked: ParkedKeys): Action => ({
  movesMoney: false,
  subjectOf: streamOf,
  preview: async ({ target }) => {
    const { eventType, version } = await find(parked, target);
    return { ...NOTHING, notes: [`${eventType} (version ${version}) is tried again`] };
  },
  execute: async ({ target }) => {
    await parked.requestRelease(parkedRef(target));
    return {};
  },
});

const skipParked = (parked: ParkedKeys): Action => ({
  movesMoney: false,
  subjectOf: streamOf,
  preview: async ({ target }) => {
    const { eventType, version, consumer } = await find(parked, target);
    const note = `${consumer} goes past ${eventType} (version ${version}) without its effect`;
    return { ...NOTHING, notes: [note] };
  },
  execute: async ({ target, reason, actor }) => {
    await parked.skip(parkedRef(target), reason, actor);
    return {};
  },
});

const retryCall = (calls: StuckCalls): Action => ({
  movesMoney: false,
  subjectOf: ({ subjectId }) => ({ type: 'job', id: subjectId }),
  preview: async ({ target }) => {
    const found = (await calls.list()).find(({ jobId }) => jobId === target.subjectId);
    if (found === undefined) throw new Rejection('not_stuck', 'there is no such stuck call');
    const { kind, subjectId } = found;
    const note = 'the worker looks first: what was done already is not done again';
    return { ...NOTHING, calls: [`${kind} for ${subjectId}`], notes: [note] };
  },
  execute: async ({ target, reason }) => {
    await calls.release(target.subjectId, reason);
    return {};
  },
});

const rebuildProjection = (pool: Pool): Action => ({
  movesMoney: false,
  subjectOf: ({ subjectId }) => ({ type: 'projection', id: subjectId }),
  preview: async ({ target }) => {
    const { rowCount } = await pool.query(CURSORS, [target.subjectId]);
    if (rowCount === 0) throw new Rejection('entity_not_found', 'there is no such projection');
    const note = 'a worker builds it anew from the log; the present one is read until then';
    return { ...NOTHING, notes: [note] };
  },
  execute: async ({ target }) => {
    await pool.query(
      `INSERT INTO projection_rebuilds (projection) VALUES ($1)
       ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`,
      [target.subjectId],
    );
    return {};
  },
});

/** Parked keys, stuck calls and projections. */
export const queueActions = (pool: Pool) => {
  const parked = new ParkedKeys(pool);
  return {
    release_parked: releaseParked(parked), skip_parked: skipParked(parked),
    retry_call: retryCall(new StuckCalls(pool)), rebuild_projection: rebuildProjection(pool),
  };
};
