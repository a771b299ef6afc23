import { firstRow } from '#platform';
import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { entityOfSubject } from '#onboarding';

/**
 * A provider request whose retries are exhausted; it blocks later requests for the same payment or
 * merchant.
 */
export interface StuckCall {
  readonly jobId: string;
  readonly kind: string;
  /** The id of the payment or merchant. */
  readonly subjectId: string;
  /** The last error. */
  readonly note: string;
  /** The wall time since the last retry, in whole seconds. */
  readonly ageSeconds: number;
}

/** A failed request that was retried. */
export interface RetriedCall {
  readonly jobId: string;
  readonly kind: string;
  /** The id of the payment or merchant. */
  readonly subjectId: string;
  /** The id of the refund request (`rfr_…`); absent for other requests. */
  readonly requestId?: string;
}

const MAX_LISTED = 1_000;
const MAX_NOTE_CHARS = 500;

const STUCK = `
  SELECT key AS "jobId", kind, ${entityOfSubject('subject_id')} AS "subjectId", note,
         extract(epoch FROM clock_timestamp() - updated_at)::int AS "ageSeconds"
    FROM jobs WHERE state = 'stuck'`;

const LIST = `${STUCK} ORDER BY updated_at, ordinal LIMIT ${MAX_LISTED}`;

/**
 * Retries a failed request. The state becomes `waiting` instead of `ready`, because the request may
 * have been executed: the worker reads the provider before it sends the request again. The job is
 * due immediately, even if the worker's business time is behind. `failedAt` in the progress of the
 * job keeps the first failure, because the case of the request stays open until the job is done.
 * The jobs are locked in the sequence in which a commit locks them, so that the two cannot deadlock.
 */
const RELEASE = `
  WITH released AS (
    SELECT kind, key FROM jobs WHERE key = ANY ($1::text[]) AND state = 'stuck'
     ORDER BY kind, key FOR UPDATE)
  UPDATE jobs j
     SET state = 'waiting', due_at = timestamptz 'epoch', attempts = 0,
         claim = coalesce(claim, gen_random_uuid()), held_until = NULL, updated_at = clock_timestamp(),
         note = left('released: ' || $2 || '; was: ' || note, ${MAX_NOTE_CHARS}),
         progress = jsonb_build_object('failedAt', updated_at) || progress
    FROM released r WHERE j.kind = r.kind AND j.key = r.key
  RETURNING jsonb_strip_nulls(jsonb_build_object(
    'jobId', j.key, 'kind', j.kind, 'subjectId', ${entityOfSubject('subject_id')},
    'requestId', (SELECT e.data ->> 'requestId' FROM events e
                   WHERE j.kind = 'refund' AND e.stream_type = 'payment'
                     AND e.stream_id = subject_id AND e.event_id::text = j.key))) AS retried`;

/** Provider requests whose retries are exhausted: an operator must decide. */
export class StuckCalls {
  constructor(private readonly pool: Pool) {}

  /** The failed requests, oldest first, at most 1000. */
  async list(): Promise<readonly StuckCall[]> {
    return (await this.pool.query<StuckCall>(LIST)).rows;
  }

  /**
   * The failed request. @throws Rejection `not_stuck`
   */
  async get(jobId: string): Promise<StuckCall> {
    const call = await firstRow<StuckCall>(this.pool, `${STUCK} AND key = $1`, [jobId]);
    if (call === undefined) throw notStuck(jobId);
    return call;
  }

  /**
   * Retries a failed request, with the full number of attempts. The job's note contains the reason
   * until the next attempt has ended. @throws Rejection `not_stuck`
   */
  async release(
    jobId: string,
    reason: string,
    client: Pool | PoolClient = this.pool,
  ): Promise<RetriedCall> {
    const [retried] = await this.releaseAll([jobId], reason, client);
    if (retried === undefined) throw notStuck(jobId);
    return retried;
  }

  /**
   * Like `release`, but returns false instead of throwing if the request is not in the state
   * failed.
   */
  async releaseIfStuck(
    jobId: string,
    reason: string,
    client: Pool | PoolClient = this.pool,
  ): Promise<boolean> {
    return (await this.releaseAll([jobId], reason, client)).length === 1;
  }

  /** Like `releaseIfStuck` for several requests. @returns the retried requests */
  async releaseAll(
    jobIds: readonly string[],
    reason: string,
    client: Pool | PoolClient = this.pool,
  ): Promise<readonly RetriedCall[]> {
    const { rows } = await client.query<{ retried: RetriedCall }>(RELEASE, [jobIds, reason]);
    return rows.map(({ retried }) => retried);
  }
}

const notStuck = (jobId: string): Rejection =>
  new Rejection('not_stuck', `no failed provider request has the id ${jobId}`);
