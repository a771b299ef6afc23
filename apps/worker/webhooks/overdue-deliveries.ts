import type { Instant } from '#kernel';
import { firstRow } from '#platform';
import type { Pool } from 'pg';
import { DELIVER } from './delivery-feed.js';
import { IS_OPEN } from './open-deliveries.js';

/**
 * The maximum number of jobs that each of four subqueries reads: the ready jobs of one endpoint,
 * the waiting jobs, the jobs whose last run failed, and the running jobs.
 */
const MAX_READ = 100;

/**
 * Selects the oldest due jobs by subqueries that each use an index, so that the cost does not grow
 * with the number of jobs. Ready jobs are selected for each endpoint separately, because each
 * endpoint has its own limit of running jobs. The last run of a job has failed if the job is
 * `waiting` and has a `held_until`.
 */
const DUE_JOBS = `
  WITH RECURSIVE endpoints AS (
    (SELECT account_id FROM jobs WHERE state = 'ready' AND kind = '${DELIVER}'
      ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT j.account_id FROM jobs j
             WHERE j.state = 'ready' AND j.kind = '${DELIVER}' AND j.account_id > p.account_id
             ORDER BY j.account_id LIMIT 1)
      FROM endpoints p WHERE p.account_id IS NOT NULL),
  due AS (
    SELECT ready.key, ready.due_at FROM endpoints p
     CROSS JOIN LATERAL (
       SELECT j.key, j.due_at FROM jobs j
        WHERE j.state = 'ready' AND j.kind = '${DELIVER}' AND j.account_id = p.account_id
        ORDER BY j.due_at, j.ordinal LIMIT ${MAX_READ}) ready
    UNION ALL
    (SELECT key, due_at FROM jobs
      WHERE state = 'waiting' AND held_until IS NULL AND kind = '${DELIVER}' AND due_at <= $1
      ORDER BY due_at LIMIT ${MAX_READ})
    UNION ALL
    (SELECT key, due_at FROM jobs
      WHERE state = 'waiting' AND held_until IS NOT NULL AND kind = '${DELIVER}'
      ORDER BY held_until LIMIT ${MAX_READ})
    UNION ALL
    (SELECT key, due_at FROM jobs WHERE state = 'running' AND kind = '${DELIVER}'
      ORDER BY held_until LIMIT ${MAX_READ}))`;

/**
 * Computes the age of the oldest delivery that a due job would send, which is the first open
 * delivery of the job's stream. Jobs of disabled endpoints and jobs whose delivery has failed send
 * nothing, and are left out. If a job became due before its delivery was created, the age of the
 * delivery counts.
 */
const OVERDUE = `${DUE_JOBS}
  SELECT extract(epoch FROM $1::timestamptz - min(greatest(due.due_at, head.created_at)))::float8
           AS seconds
    FROM (SELECT split_part(key, ' ', 1) AS endpoint_id, split_part(key, ' ', 2) AS stream_id, due_at
            FROM due) due
    JOIN webhook_endpoints e ON e.id = due.endpoint_id AND e.status = 'enabled'
   CROSS JOIN LATERAL (
      SELECT d.state, d.created_at FROM webhook_deliveries d
       WHERE d.endpoint_id = due.endpoint_id AND d.stream_id = due.stream_id AND ${IS_OPEN}
       ORDER BY d.version LIMIT 1) head
   WHERE head.state = 'pending'`;

/**
 * Returns for how many seconds of business time the oldest unsent delivery has been due; 0 if none
 * is due. A delivery that waits for a retry, or behind an earlier delivery of its stream, is not
 * due.
 */
export const overdueSeconds = async (pool: Pool, now: Instant): Promise<number> => {
  // The statement has no name, because a named statement would keep the plan made while the tables
  // were empty.
  const row = await firstRow<{ seconds: number | null }>(pool, OVERDUE, [now]);
  return Math.max(0, row?.seconds ?? 0);
};
