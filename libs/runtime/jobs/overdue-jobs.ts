/** Since when a job is overdue: `failedRead` stores when the job was first due. */
const SINCE = `key, least(due_at, (progress ->> 'dueSince')::timestamptz) AS since`;

/**
 * The jobs of kind $2 that are due at $1, also those whose runs fail, and since when. $3: how many
 * milliseconds after a failed run `failedRead` schedules the next at most. Each branch of the UNION
 * uses its own index.
 */
export const OVERDUE_JOBS = `
  SELECT ${SINCE} FROM jobs WHERE state = 'ready' AND kind = $2
   UNION ALL
  SELECT ${SINCE} FROM jobs WHERE state = 'running' AND kind = $2
   UNION ALL
  SELECT ${SINCE} FROM jobs WHERE state = 'waiting' AND held_until IS NOT NULL AND kind = $2
   UNION ALL
  SELECT ${SINCE} FROM jobs
   WHERE state = 'waiting' AND held_until IS NULL AND kind = $2
     AND due_at <= $1::timestamptz + $3 * interval '1 millisecond'`;
