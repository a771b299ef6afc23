import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import { type JobTable } from '#jobs';
import {
  type AccountTask,
  JOB_KINDS,
  jobOf,
  LIST_KINDS,
  type TaskKey,
  type TaskProgress,
} from './account-task.js';

const ADD = `
  INSERT INTO jobs (kind, key, account_id, due_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`;

/**
 * Makes a task due. If it is running, it may have read too early: it is due again, and the running
 * worker loses its claim.
 */
const CALL = `
  UPDATE jobs SET state = 'waiting', due_at = least(due_at, $3), held_until = NULL,
         updated_at = clock_timestamp()
   WHERE kind = $1 AND key = $2`;

/**
 * Counts accounts with an unread list. A restarted read keeps the time of the last completed read;
 * before the first completed read, the time of its start counts.
 */
const UNREAD = `
  SELECT count(DISTINCT key)::int AS accounts FROM jobs
   WHERE kind = ANY ($3) AND key IN (SELECT id FROM provider_accounts)
     AND coalesce((progress ->> 'readAt')::timestamptz,
                  to_timestamp((progress ->> 'createdSince')::bigint))
         < $1::timestamptz - $2 * interval '1 millisecond'`;

/** The reads of an account as jobs. Each method executes one short statement. */
export class TaskQueue {
  constructor(
    private readonly pool: Pool,
    private readonly table: Pick<JobTable, 'save'>,
  ) {}

  /** Stores the task's progress. Throws `ClaimLapsed`. */
  async save(task: AccountTask, progress: TaskProgress): Promise<void> {
    const { tries, claim } = task;
    await this.table.save({ ...jobOf(task), claim }, { ...progress, tries });
  }

  /** Adds the task unless it exists already. */
  async add(task: TaskKey, accountId: string, dueAt: Instant): Promise<void> {
    const { kind, key } = jobOf(task);
    await this.pool.query(ADD, [kind, key, accountId, dueAt]);
  }

  /** Makes an existing task due, even if it is running. */
  async callFor(task: TaskKey, dueAt: Instant): Promise<void> {
    const { kind, key } = jobOf(task);
    await this.pool.query({ name: 'call-task', text: CALL, values: [kind, key, dueAt] });
  }

  /** The number of accounts with a list that was not read to its end for this long. */
  async unreadAccounts(now: Instant, ms: number): Promise<number> {
    const values = [now, ms, LIST_KINDS.map((kind) => JOB_KINDS[kind])];
    const { rows } = await this.pool.query<{ accounts: number }>(UNREAD, values);
    return rows[0]?.accounts ?? 0;
  }
}
