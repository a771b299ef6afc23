import { firstRow } from '#platform';
import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';

/** A call that only a person can get going again; it holds its subject's later calls back. */
export interface StuckCall {
  readonly jobId: string;
  readonly kind: string;
  /** The payment, or the merchant. */
  readonly subjectId: string;
  /** Why it is stuck. */
  readonly note: string;
  /** Wall time since it got stuck, whole seconds. */
  readonly ageSeconds: number;
}

const MAX_LISTED = 1_000;
const MAX_NOTE_CHARS = 500;

const STUCK = `
  SELECT key AS "jobId", kind, subject_id AS "subjectId", note,
         extract(epoch FROM clock_timestamp() - updated_at)::int AS "ageSeconds"
    FROM jobs WHERE state = 'stuck'`;

const LIST = `${STUCK} ORDER BY updated_at, ordinal LIMIT ${MAX_LISTED}`;

/**
 * `waiting` and not `ready`: the call may have been made, so the worker looks before it calls. Due
 * at once by whatever business time the worker has.
 */
const RELEASE = `
  UPDATE jobs
     SET state = 'waiting', due_at = timestamptz 'epoch', attempts = 0,
         claim = coalesce(claim, gen_random_uuid()), held_until = NULL, updated_at = clock_timestamp(),
         note = left('released: ' || $2 || '; was: ' || note, ${MAX_NOTE_CHARS})
   WHERE key = $1 AND state = 'stuck'`;

/** Calls to the provider that are stuck, for a person. */
export class StuckCalls {
  constructor(private readonly pool: Pool) {}

  /** Oldest first, at most 1000. */
  async list(): Promise<readonly StuckCall[]> {
    return (await this.pool.query<StuckCall>(LIST)).rows;
  }

  /** The call if it is stuck. @throws Rejection `not_stuck` */
  async get(jobId: string): Promise<StuckCall> {
    const call = await firstRow<StuckCall>(this.pool, `${STUCK} AND key = $1`, [jobId]);
    if (call === undefined) throw notStuck(jobId);
    return call;
  }

  /**
   * Lets a call be tried anew, as often as a new one. The reason stands in the job's note until the
   * next try has ended. @throws Rejection `not_stuck`
   */
  async release(
    jobId: string,
    reason: string,
    client: Pool | PoolClient = this.pool,
  ): Promise<void> {
    if (!(await this.releaseIfStuck(jobId, reason, client))) throw notStuck(jobId);
  }

  /** As `release`; false when it is not stuck. */
  async releaseIfStuck(
    jobId: string,
    reason: string,
    client: Pool | PoolClient = this.pool,
  ): Promise<boolean> {
    return (await client.query(RELEASE, [jobId, reason])).rowCount === 1;
  }
}

const notStuck = (jobId: string): Rejection =>
  new Rejection('not_stuck', `no stuck call has the id ${jobId}`);
