import { type Instant, instantFromMs } from '#kernel';
import type { Pool } from 'pg';
import {
  type AccountTask, type TaskEnd, type TaskKey, TaskLapsed, type TaskProgress,
} from './account-task.js';

/** Wall time, milliseconds: longer than a page with its repeats takes. */
const CLAIM_MS = 60_000;

/** Each account has these from its registration on. */
const STANDING = ['payments', 'payouts', 'refunds', 'disputes', 'reconcile'] as const;

/** What was made before the account was registered is not ours to account for. */
const ENSURE = `
  INSERT INTO account_tasks (account_id, kind, due_at, progress)
  SELECT a.id, k.kind, $1,
         jsonb_build_object('createdSince', floor(extract(epoch FROM a.created_at))::bigint)
    FROM provider_accounts a CROSS JOIN unnest($2::text[]) AS k(kind)
   WHERE a.webhook_endpoint_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM account_tasks t
                      WHERE t.account_id = a.id AND t.kind = k.kind AND t.subject = '')
      ON CONFLICT DO NOTHING`;

const CLAIM = `
  WITH chosen AS (
    SELECT t.account_id, t.kind, t.subject FROM account_tasks t
     WHERE t.due_at <= $1
       AND (t.claimed_until IS NULL OR t.claimed_until < clock_timestamp())
       AND t.account_id <> ALL ($4)
     ORDER BY t.due_at LIMIT $2
       FOR UPDATE SKIP LOCKED)
  UPDATE account_tasks t
     SET claim = gen_random_uuid(),
         claimed_until = clock_timestamp() + $3 * interval '1 millisecond'
    FROM chosen c
   WHERE t.account_id = c.account_id AND t.kind = c.kind AND t.subject = c.subject
  RETURNING t.account_id, t.kind, t.subject, t.due_at, t.tries, t.progress, t.claim`;

const MINE = 'account_id = $1 AND kind = $2 AND subject = $3 AND claim = $4';

const SAVE = `
  UPDATE account_tasks
     SET progress = $5, claimed_until = clock_timestamp() + $6 * interval '1 millisecond'
   WHERE ${MINE}`;

const DONE = `DELETE FROM account_tasks WHERE ${MINE}`;

const AGAIN = `
  UPDATE account_tasks
     SET due_at = $5, tries = $6, progress = coalesce($7, progress), claim = NULL,
         claimed_until = NULL
   WHERE ${MINE}`;

const PUT_BACK = `
  UPDATE account_tasks
     SET claim = NULL, claimed_until = clock_timestamp() + $5 * interval '1 millisecond'
   WHERE ${MINE}`;

const ADD = `
  INSERT INTO account_tasks (account_id, kind, subject, due_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`;

/** Who is at it may not have seen what it is called for: it begins anew, and he ends in vain. */
const CALL = `
  UPDATE account_tasks SET due_at = least(due_at, $4), claim = NULL, claimed_until = NULL
   WHERE account_id = $1 AND kind = $2 AND subject = $3`;

const DUE = `
  SELECT (SELECT count(*)::int FROM account_tasks WHERE due_at <= $1) AS due,
         (SELECT min(due_at) FROM account_tasks WHERE due_at > $1) AS next`;

/** What is begun anew keeps when it was last looked through; before that, since it is there. */
const UNREAD = `
  SELECT count(DISTINCT account_id)::int AS accounts FROM account_tasks
   WHERE kind IN ('payments', 'payouts', 'refunds', 'disputes')
     AND coalesce((progress ->> 'lookedAt')::timestamptz,
                  to_timestamp((progress ->> 'createdSince')::bigint))
         < $1::timestamptz - $2 * interval '1 millisecond'`;

interface TaskRow {
  readonly account_id: string;
  readonly kind: AccountTask['kind'];
  readonly subject: string;
  readonly due_at: Date;
  readonly tries: number;
  readonly progress: TaskProgress;
  readonly claim: string;
}

const keyOf = ({ accountId, kind, subject }: TaskKey): string[] => [accountId, kind, subject];

/** The table `account_tasks` as the workers share it. Each method is one short statement. */
export class TaskQueue {
  constructor(private readonly pool: Pool) {}

  /** Gives every registered account its standing tasks, due now; the first time only. */
  async ensure(now: Instant): Promise<void> {
    await this.pool.query({ name: 'ensure-tasks', text: ENSURE, values: [now, STANDING] });
  }

  /** Takes up to `limit` tasks for this worker alone, for a minute; none of `passedOver` accounts. */
  async claim(
    now: Instant, limit: number, passedOver: readonly string[] = [],
  ): Promise<readonly AccountTask[]> {
    const { rows } = await this.pool.query<TaskRow>({
      name: 'claim-tasks', text: CLAIM, values: [now, limit, CLAIM_MS, passedOver],
    });
    return rows.map((row) => ({
      accountId: row.account_id,
      kind: row.kind,
      subject: row.subject,
      dueAt: instantFromMs(row.due_at.getTime()),
      tries: row.tries,
      progress: row.progress,
      claim: row.claim,
    }));
  }

  /** Keeps where the task has come to, and the task for another minute. Throws `TaskLapsed`. */
  async save(task: AccountTask, progress: TaskProgress): Promise<void> {
    const values = [...keyOf(task), task.claim, JSON.stringify(progress), CLAIM_MS];
    const { rowCount } = await this.pool.query({ name: 'save-task', text: SAVE, values });
    if (rowCount !== 1) throw new TaskLapsed(`${task.kind} of ${task.accountId} is another's`);
  }

  /** Does nothing where the claim has lapsed: whoever holds the task now ends it. */
  async ended(task: AccountTask, end: TaskEnd): Promise<void> {
    const mine = [...keyOf(task), task.claim];
    if (end.next === 'done') {
      await this.pool.query({ name: 'task-done', text: DONE, values: mine });
      return;
    }
    const progress = end.progress === undefined ? null : JSON.stringify(end.progress);
    const values = [...mine, end.dueAt, end.tries, progress];
    await this.pool.query({ name: 'task-again', text: AGAIN, values });
  }

  /** It could not be carried out now: again after `waitMs` of wall time, by whom ever. */
  async putBack(task: AccountTask, waitMs: number): Promise<void> {
    const values = [...keyOf(task), task.claim, Math.ceil(waitMs)];
    await this.pool.query({ name: 'task-back', text: PUT_BACK, values });
  }

  /** Nothing where there is such a task already. */
  async add(key: TaskKey, dueAt: Instant): Promise<void> {
    await this.pool.query({ name: 'add-task', text: ADD, values: [...keyOf(key), dueAt] });
  }

  /** Makes a task that stands due, also while somebody is at it. */
  async callFor(key: TaskKey, dueAt: Instant): Promise<void> {
    await this.pool.query({ name: 'call-task', text: CALL, values: [...keyOf(key), dueAt] });
  }

  /** Accounts one of whose lists was not looked through to its end for so long. */
  async unreadAccounts(now: Instant, ms: number): Promise<number> {
    const { rows } = await this.pool.query<{ accounts: number }>({
      name: 'unread-accounts', text: UNREAD, values: [now, ms],
    });
    return rows[0]?.accounts ?? 0;
  }

  async due(now: Instant): Promise<{ readonly due: number; readonly next: Date | null }> {
    const { rows } = await this.pool.query<{ due: number; next: Date | null }>({
      name: 'due-tasks', text: DUE, values: [now],
    });
    return rows[0] ?? { due: 0, next: null };
  }
}
