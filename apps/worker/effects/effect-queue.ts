import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import { NO_LOAD } from '../loop/account-shares.js';
import type { EffectJob } from './effect-job.js';

/** Wall time, milliseconds. A worker that dies leaves its jobs to the others after this. */
export const CLAIM_MS = 15_000;

interface JobRow {
  readonly job_id: string;
  readonly kind: string;
  readonly subject_id: string;
  readonly subject_version: number;
  readonly account_id: string;
  readonly tries: number;
  readonly found: EffectJob['found'];
  readonly claim: string;
}

/**
 * Only the oldest open job of a subject: they run one after another, and one that is stuck holds
 * the later ones back. None of an account of which something is to be read since a restore.
 */
const IS_FIRST = `
  NOT EXISTS (SELECT FROM restore_reads r WHERE r.account_id = e.account_id) AND
  e.ordinal = (SELECT min(own.ordinal) FROM effects own
                WHERE own.subject_id = e.subject_id AND own.state <> 'done')`;

/**
 * A job that may be taken up was never begun, or is due for another look, or was left in the middle
 * of a call by a worker that is gone; accounts have turns (migration 1760000000370). The mark
 * `calling` is committed by this statement alone, before any call is made. With the job comes how
 * long its subject's stream is: a worker that remembers as much of it need not read it.
 */
const CLAIM = 'SELECT * FROM claim_effects($1, $2, $3, $4, $5, $6)';

/**
 * What a commit is just ending is passed over, not waited for: two that wait for each other's jobs
 * in other orders would block for good, and a job that ends needs no longer claim.
 */
const EXTEND = `
  WITH mine AS (
    SELECT e.job_id FROM effects e
      JOIN unnest($1::uuid[], $2::uuid[]) AS held(job_id, claim)
        ON e.job_id = held.job_id AND e.claim = held.claim
     WHERE e.state = 'calling'
     ORDER BY e.job_id
       FOR UPDATE OF e SKIP LOCKED)
  UPDATE effects e SET claimed_until = clock_timestamp() + $3 * interval '1 millisecond'
    FROM mine WHERE e.job_id = mine.job_id
  RETURNING e.job_id`;

/** As it was before it was taken up; a try that was none is not counted. */
const PUT_BACK = `
  UPDATE effects SET state = 'waiting', due_at = $3, tries = tries - 1, claim = NULL,
         claimed_until = NULL, updated_at = clock_timestamp()
   WHERE job_id = $1 AND claim = $2 AND state = 'calling'`;

const DUE = `
  SELECT count(*)::int AS due,
         (SELECT min(w.due_at) FROM effects w
           WHERE w.state = 'waiting' AND w.due_at > $1) AS next,
         (SELECT max(m.updated_at)::text FROM effects m WHERE m.state <> 'done') AS mark
    FROM effects e
   WHERE e.state = 'calling'
      OR (e.state = 'ready' OR e.state = 'waiting' AND e.due_at <= $1) AND ${IS_FIRST}`;

/** The table `effects` as the workers share it. Each method is one short statement. */
export class EffectQueue {
  constructor(private readonly pool: Pool) {}

  /** Takes up to `limit` jobs for this worker alone, for `CLAIM_MS`. */
  async claim(
    now: Instant, limit: number, { accounts, running, most } = NO_LOAD,
  ): Promise<readonly EffectJob[]> {
    const { rows } = await this.pool.query<JobRow>({
      name: 'claim-effects', text: CLAIM,
      values: [now, limit, CLAIM_MS, accounts, running, most],
    });
    return rows.map((row) => ({
      jobId: row.job_id,
      kind: row.kind,
      subjectId: row.subject_id,
      subjectVersion: row.subject_version,
      accountId: row.account_id,
      tries: row.tries,
      found: row.found,
      claim: row.claim,
    }));
  }

  /** Holds claims for another `CLAIM_MS`; answers the ids of the jobs that are still ours. */
  async extend(jobs: readonly EffectJob[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ job_id: string }>({
      name: 'extend-effects',
      text: EXTEND,
      values: [jobs.map(({ jobId }) => jobId), jobs.map(({ claim }) => claim), CLAIM_MS],
    });
    return rows.map((row) => row.job_id);
  }

  /** Nothing was sent for it: any worker takes it up again at `dueAt`. */
  async putBack({ jobId, claim }: EffectJob, dueAt: Instant): Promise<void> {
    await this.pool.query({
      name: 'put-back-effect', text: PUT_BACK, values: [jobId, claim, dueAt],
    });
  }

  /** How many calls are under way or could begin by `now`, and when the next look is due. */
  async due(now: Instant): Promise<{ due: number; next: Date | null; mark: string | null }> {
    const { rows } = await this.pool.query<{
      due: number; next: Date | null; mark: string | null;
    }>({ name: 'due-effects', text: DUE, values: [now] });
    return rows[0] ?? { due: 0, next: null, mark: null };
  }

  /** Open jobs by state, for the metrics. */
  async openByState(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ state: string; jobs: number }>(
      `SELECT state, count(*)::int AS jobs FROM effects WHERE state <> 'done' GROUP BY state`,
    );
    return new Map(rows.map(({ state, jobs }) => [state, jobs]));
  }
}
