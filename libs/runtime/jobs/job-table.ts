import { firstRow } from '#platform';
import type { Pool } from 'pg';
import { type Instant, instantFromMs } from '#kernel';
import { CLAIM_MS } from './claim-ms.js';
import { ClaimLapsed, type Job, type JobEnd, MAX_NOTE_CHARS } from './job.js';
import { LANES, type LaneLoad, type LaneName } from './lanes.js';
import { OVERDUE_JOBS } from './overdue-jobs.js';

/**
 * The conditions of a worker's claim: the kinds of jobs, the free slots of each lane, and the
 * worker's jobs in progress.
 */
export interface ClaimRequest {
  /**
   * The current business time; null if this process must not run timed work, because its clock is
   * wrong.
   */
  readonly now: Instant | null;
  readonly kinds: readonly { readonly kind: string; readonly lane: LaneName }[];
  readonly rooms: readonly { readonly lane: LaneName; readonly room: number }[];
  readonly load: readonly LaneLoad[];
}

/**
 * The number of due jobs and the time of the next job, for callers that wait until no work is left.
 */
export interface DueJobs {
  readonly due: number;
  readonly next: Instant | null;
}

type Mine = Pick<Job, 'kind' | 'key' | 'claim'>;

const CLAIM = `
  SELECT kind, key, nullif(account_id, '') AS "accountId", subject_id AS "subjectId",
         subject_version AS "subjectVersion", due_at AS "dueAt", attempts, found, progress, claim,
         asked_by AS "askedBy"
    FROM claim_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/**
 * Job rows that a commit has locked are skipped. Waiting for them could deadlock, because two
 * processes may lock rows in different sequences; and a job that is just ending needs no claim.
 */
const EXTEND = `
  WITH mine AS (
    SELECT j.kind, j.key, j.claim FROM jobs j
      JOIN unnest($1::text[], $2::text[], $3::uuid[]) AS held(kind, key, claim)
        ON j.kind = held.kind AND j.key = held.key AND j.claim = held.claim
     WHERE j.state = 'running'
     ORDER BY j.kind, j.key
       FOR UPDATE OF j SKIP LOCKED)
  UPDATE jobs j SET held_until = clock_timestamp() + $4 * interval '1 millisecond'
    FROM mine WHERE j.kind = mine.kind AND j.key = mine.key
  RETURNING mine.claim`;

const MINE = `kind = $1 AND key = $2 AND claim = $3 AND state = 'running'`;

/** A job that was requested again during its run is run once more. */
const DONE = `
  WITH mine AS MATERIALIZED (SELECT kind, key, again FROM jobs WHERE ${MINE} FOR UPDATE),
  ended AS (
    DELETE FROM jobs j USING mine WHERE j.kind = mine.kind AND j.key = mine.key AND NOT mine.again)
  UPDATE jobs j SET state = 'ready', attempts = 0, again = false, held_until = NULL,
         updated_at = clock_timestamp()
    FROM mine WHERE j.kind = mine.kind AND j.key = mine.key AND mine.again`;

const AGAIN = `
  UPDATE jobs SET state = 'waiting', due_at = $4, progress = coalesce($5, progress), attempts = 0,
         held_until = NULL, updated_at = clock_timestamp()
   WHERE ${MINE}`;

/** A run that could do nothing does not count as an attempt. */
const LATER = `
  UPDATE jobs SET state = 'waiting', attempts = attempts - $5, note = coalesce($6, note),
         held_until = clock_timestamp() + $4 * interval '1 millisecond',
         updated_at = clock_timestamp()
   WHERE ${MINE}`;

/** No run has begun: the next claim finds the job as one that was never claimed. */
const GIVE_BACK = `
  UPDATE jobs SET state = 'ready', claim = NULL, attempts = 0, held_until = NULL,
         updated_at = clock_timestamp()
   WHERE ${MINE}`;

const SAVE = `UPDATE jobs SET progress = $4 WHERE ${MINE}`;

/**
 * A job waits for earlier jobs of its subject and, after a database restore, for the reads of its
 * provider account.
 */
const MAY_BEGIN = `
  (j.subject_id IS NULL OR
   j.ordinal = (SELECT min(own.ordinal) FROM jobs own
                 WHERE own.subject_id = j.subject_id AND own.state <> 'done') AND
   NOT EXISTS (SELECT FROM restore_reads r WHERE r.account_id = j.account_id))`;

/** Each branch of the UNION uses its own index. */
const DUE = `
  SELECT ((SELECT count(*) FROM jobs j
            WHERE state = 'ready' AND kind = ANY ($2) AND ${MAY_BEGIN})
        + (SELECT count(*) FROM jobs WHERE state = 'running' AND kind = ANY ($2))
        + (SELECT count(*) FROM jobs
            WHERE state = 'waiting' AND held_until IS NOT NULL AND kind = ANY ($2))
        + (SELECT count(*) FROM jobs j
            WHERE state = 'waiting' AND held_until IS NULL AND kind = ANY ($2)
              AND due_at <= $1 AND ${MAY_BEGIN}))::int AS due,
         (SELECT min(due_at) FROM jobs
           WHERE state = 'waiting' AND held_until IS NULL AND kind = ANY ($2)
             AND due_at > $1) AS next`;

const OVERDUE = `
  SELECT extract(epoch FROM $1::timestamptz - min(since))::float8 AS seconds
    FROM (${OVERDUE_JOBS}) AS open`;

/** The table `jobs`, shared by all workers. Each method is one short statement. */
export class JobTable {
  constructor(private readonly pool: Pool) {}

  /**
   * Claims due jobs for the free slots, for `CLAIM_MS`; for each account, the oldest jobs first.
   */
  async claim({ now, kinds, rooms, load }: ClaimRequest): Promise<readonly Job[]> {
    const { rows } = await this.pool.query<
      Omit<Job, 'dueAt' | 'isBegun'> & { readonly dueAt: Date }
    >({
      name: 'claim-jobs',
      text: CLAIM,
      values: [
        now,
        CLAIM_MS,
        kinds.map(({ kind }) => kind),
        kinds.map(({ lane }) => lane),
        rooms.map(({ lane }) => lane),
        rooms.map(({ room }) => room),
        rooms.map(({ lane }) => LANES[lane].share),
        load.map(({ lane }) => lane),
        load.map(({ accountId }) => accountId),
        load.map(({ running }) => running),
      ],
    });
    return rows.map((row) => ({
      ...row,
      isBegun: false,
      dueAt: instantFromMs(row.dueAt.getTime()),
    }));
  }

  /**
   * Extends claims by `CLAIM_MS`; returns the claims that were extended, because this worker still
   * has them.
   */
  async extend(jobs: readonly Mine[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ claim: string }>({
      name: 'extend-jobs',
      text: EXTEND,
      values: [
        jobs.map(({ kind }) => kind),
        jobs.map(({ key }) => key),
        jobs.map(({ claim }) => claim),
        CLAIM_MS,
      ],
    });
    return rows.map(({ claim }) => claim);
  }

  /** Ends a run. Does nothing if another worker has claimed the job meanwhile. */
  async end({ kind, key, claim }: Mine, end: JobEnd): Promise<void> {
    const mine = [kind, key, claim];
    switch (end.next) {
      case 'recorded':
        return;
      case 'done':
        await this.pool.query({ name: 'job-done', text: DONE, values: mine });
        return;
      case 'again': {
        const progress = end.progress === undefined ? null : JSON.stringify(end.progress);
        const values = [...mine, end.dueAt, progress];
        await this.pool.query({ name: 'job-again', text: AGAIN, values });
        return;
      }
      case 'later':
        await this.later({ kind, key, claim }, end.waitMs, end.isTry === true, null);
    }
  }

  /** Records a failed run; any worker may retry the job after `waitMs` of wall time. */
  async failed(job: Mine, waitMs: number, why: string): Promise<void> {
    await this.later(job, waitMs, true, why.slice(0, MAX_NOTE_CHARS));
  }

  /**
   * Gives up a claim under which no run has begun; false if the job has no such claim. The commit
   * that gives the claim may still be in progress.
   */
  async giveBack({ kind, key, claim }: Mine): Promise<boolean> {
    const values = [kind, key, claim];
    const { rowCount } = await this.pool.query({ name: 'job-give-back', text: GIVE_BACK, values });
    return rowCount === 1;
  }

  /**
   * Stores the progress of a run. @throws ClaimLapsed
   */
  async save({ kind, key, claim }: Mine, progress: Job['progress']): Promise<void> {
    const { rowCount } = await this.pool.query({
      name: 'save-job',
      text: SAVE,
      values: [kind, key, claim, JSON.stringify(progress)],
    });
    if (rowCount !== 1)
      throw new ClaimLapsed(`another worker has claimed the job ${kind} of ${key}`);
  }

  async due(now: Instant, kinds: readonly string[]): Promise<DueJobs> {
    const row = await firstRow<{ due: number; next: Date | null }>(this.pool, {
      name: 'due-jobs',
      text: DUE,
      values: [now, kinds],
    });
    const next = row?.next ?? null;
    return { due: row?.due ?? 0, next: next && instantFromMs(next.getTime()) };
  }

  /**
   * The open jobs, counted by kind and state. Scheduled jobs are not counted: there may be many.
   */
  async open(): Promise<readonly { kind: string; state: string; jobs: number }[]> {
    const { rows } = await this.pool.query<{ kind: string; state: string; jobs: number }>(
      `SELECT kind, state, count(*)::int AS jobs FROM jobs
        WHERE state = 'ready' OR state = 'running' OR state = 'stuck'
           OR state = 'waiting' AND held_until IS NOT NULL
           OR subject_id IS NOT NULL AND state <> 'done'
        GROUP BY kind, state`,
    );
    return rows;
  }

  /**
   * For how many seconds the oldest job of this kind has been due, also if its runs fail; 0 if no
   * job is due. `maxRetryMs`: how long after a failed run `failedRead` schedules the next at most.
   */
  async overdueSeconds(now: Instant, kind: string, maxRetryMs: number): Promise<number> {
    const row = await firstRow<{ seconds: number | null }>(this.pool, {
      name: 'overdue-jobs',
      text: OVERDUE,
      values: [now, kind, maxRetryMs],
    });
    return Math.max(0, row?.seconds ?? 0);
  }

  private async later(
    { kind, key, claim }: Mine,
    waitMs: number,
    isTry: boolean,
    note: string | null,
  ): Promise<void> {
    const values = [kind, key, claim, Math.ceil(waitMs), isTry ? 0 : 1, note];
    await this.pool.query({ name: 'job-later', text: LATER, values });
  }
}
