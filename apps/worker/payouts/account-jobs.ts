import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import { type AccountKind, LIST_KINDS } from './account-job.js';
import { HAS_UNPAID } from './overdue-sql.js';

/**
 * The jobs that an account without open business has for ever: its lists, its reconciliation and,
 * after a database restore, the list of its debits while the provider rejects its key.
 */
const LASTING_KINDS: readonly string[] = [
  ...LIST_KINDS,
  'account.reconcile' satisfies AccountKind,
  'restore.debits',
];

const ADD = `
  INSERT INTO jobs (kind, key, account_id, due_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`;

/**
 * Makes a job due. A running job may have read too early, so its worker loses the claim and the job
 * runs again.
 */
const CALL = `
  UPDATE jobs SET state = 'waiting', due_at = least(due_at, $3), held_until = NULL,
         updated_at = clock_timestamp()
   WHERE kind = $1 AND key = $2`;

/** Whether the account of the expression is disabled or replaced at $1. */
const ENDED = (account: string): string => `
  EXISTS (SELECT FROM account_statuses($1) s
           WHERE s.account_id = ${account} AND s.status IN ('disabled', 'replaced'))`;

/**
 * Whether account $2 is disabled or replaced and has only jobs of the kinds $3, so that no payment,
 * request or payout of the account is open, and all its money is paid out. Each branch of the OR
 * uses its own index.
 */
const CLOSED = `
  SELECT ${ENDED('$2')}
     AND NOT EXISTS (
       SELECT FROM jobs
        WHERE (state = 'ready' OR state = 'running' OR state = 'stuck'
               OR state = 'waiting' AND held_until IS NULL
               OR state = 'waiting' AND held_until IS NOT NULL)
          AND account_id = $2 AND kind <> ALL ($3))
     AND NOT ${HAS_UNPAID('$2')} AS closed`;

/**
 * Counts the accounts with an outdated list: the last completed read began more than $2
 * milliseconds before $1. If no read is completed yet, the start of the period to read is used
 * instead. A closed account whose key the provider rejects is not counted until it takes orders again.
 */
const UNREAD = `
  SELECT count(DISTINCT key)::int AS accounts FROM jobs
   WHERE kind = ANY ($3) AND key IN (SELECT id FROM provider_accounts)
     AND NOT (progress @> '{"closed": true}' AND ${ENDED('key')})
     AND coalesce((progress ->> 'readAt')::timestamptz,
                  to_timestamp((progress ->> 'createdSince')::bigint))
         < $1::timestamptz - $2 * interval '1 millisecond'`;

/** The jobs of accounts. Each method executes one short statement. */
export class AccountJobs {
  constructor(private readonly pool: Pool) {}

  /** Adds the job unless it exists already. */
  async add(kind: AccountKind, key: string, accountId: string, dueAt: Instant): Promise<void> {
    await this.pool.query(ADD, [kind, key, accountId, dueAt]);
  }

  /** Makes an existing job due, even if it is running. */
  async callFor(kind: AccountKind, key: string, dueAt: Instant): Promise<void> {
    await this.pool.query({ name: 'call-job', text: CALL, values: [kind, key, dueAt] });
  }

  /** Whether the account is disabled or replaced, and nothing of it is open or unpaid. */
  async isClosed(accountId: string, now: Instant): Promise<boolean> {
    const values = [now, accountId, LASTING_KINDS];
    const { rows } = await this.pool.query<{ closed: boolean }>(CLOSED, values);
    return rows[0]?.closed ?? false;
  }

  /** The number of accounts with a list whose last completed read was more than `ms` ago. */
  async unreadAccounts(now: Instant, ms: number): Promise<number> {
    const { rows } = await this.pool.query<{ accounts: number }>(UNREAD, [now, ms, LIST_KINDS]);
    return rows[0]?.accounts ?? 0;
  }
}
