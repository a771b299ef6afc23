/**
 * The maximum number of due jobs of a kind that become ready in one claim. It is high, because a
 * worker's free slots are shared among the accounts that have ready jobs: many due jobs of one
 * account must not keep the jobs of other accounts from becoming ready.
 */
const READY_AT_ONCE = 1_000;

/**
 * The maximum number of webhooks that a claimed job is given, oldest first. A job with further
 * webhooks runs once more. Without a limit, the webhooks of one account could make the claim of
 * every worker fail, because PostgreSQL limits the size of a `jsonb`.
 */
const MAX_WEBHOOKS = 100;
/** The maximum length of a webhook's type. Older releases stored longer ones. */
const MAX_TYPE_CHARS = 60;

/**
 * Selects only the oldest open job of each subject (such as the payment that the job concerns). The
 * jobs of one subject run one after another, and a failed job blocks those after it.
 */
const IS_FIRST = `
  (j.subject_id IS NULL OR j.ordinal = (SELECT min(own.ordinal) FROM jobs own
    WHERE own.subject_id = j.subject_id AND own.state <> 'done'))`;

/**
 * The SQL condition under which requests of an account may be sent: after a restore, all objects of
 * the account have been read.
 */
const mayRun = (lane: string, account: string): string => `
  (${lane} <> 'calls' OR NOT EXISTS (SELECT FROM restore_reads r WHERE r.account_id = ${account}))`;

/**
 * Claims jobs for `claim_ms`. Due jobs become ready, and for each lane (a group of kinds) as many
 * ready jobs are claimed as the lane has free slots. In each lane, the account with the fewest jobs
 * in progress comes first, and no account gets more than its share. The accounts of each kind are
 * found by reads of an index, so jobs that may not be claimed cost nothing, regardless of their
 * number. Jobs of kinds that the caller does not name are left to processes that can run them. The
 * claim of a lane is prepared only after a read of its index has found a job, because preparing a
 * claim costs several times as much as that read.
 */
export const CLAIM_JOBS = `
CREATE OR REPLACE FUNCTION claim_jobs(
  business_now timestamptz, claim_ms double precision, kinds text[], lanes_of_kinds text[],
  lanes text[], rooms integer[], shares integer[],
  busy_lanes text[], busy_accounts text[], busy integer[]
) RETURNS TABLE (
  kind text, key text, account_id text, subject_id text, subject_version integer,
  due_at timestamptz, attempts integer, found text, progress jsonb, claim uuid, asked_by jsonb
)
LANGUAGE plpgsql VOLATILE
-- As in commit_steps: a plan kept from when the table was small must not read all of it later.
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
-- Planned anew for the lists of each call it costs 2 ms and more, and is the same plan.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  taken_kinds text[];
  taken_keys text[];
  taken_found text[];
BEGIN
  IF EXISTS (SELECT FROM jobs w
              WHERE w.state = 'waiting' AND w.held_until IS NULL AND w.kind = ANY (kinds)
                AND w.due_at <= business_now) THEN
    UPDATE jobs j SET state = 'ready'
      FROM unnest(kinds) AS wanted(kind)
     CROSS JOIN LATERAL (
        SELECT w.kind, w.key FROM jobs w
         WHERE w.state = 'waiting' AND w.held_until IS NULL AND w.kind = wanted.kind
           AND w.due_at <= business_now
         ORDER BY w.due_at LIMIT ${READY_AT_ONCE}
           FOR UPDATE SKIP LOCKED) due
     WHERE j.kind = due.kind AND j.key = due.key;
  END IF;
  IF EXISTS (SELECT FROM jobs w
              WHERE w.state = 'waiting' AND w.held_until < clock_timestamp()) THEN
    UPDATE jobs j SET state = 'ready', held_until = NULL
      FROM (SELECT w.kind, w.key FROM jobs w
             WHERE w.state = 'waiting' AND w.held_until < clock_timestamp()
             ORDER BY w.held_until LIMIT ${READY_AT_ONCE}
               FOR UPDATE SKIP LOCKED) due
     WHERE j.kind = due.kind AND j.key = due.key;
  END IF;
  IF NOT EXISTS (SELECT FROM jobs j WHERE j.state = 'ready' AND j.kind = ANY (kinds)) AND
     NOT EXISTS (SELECT FROM jobs j WHERE j.state = 'running' AND j.held_until < clock_timestamp())
  THEN RETURN;
  END IF;

  WITH RECURSIVE wanted AS (
    SELECT w.kind, w.lane, l.room, l.share
      FROM unnest(kinds, lanes_of_kinds) AS w(kind, lane)
      JOIN unnest(lanes, rooms, shares) AS l(lane, room, share) ON l.lane = w.lane
     WHERE l.room > 0),
  load AS (
    SELECT * FROM unnest(busy_lanes, busy_accounts, busy) AS b(lane, account_id, running)),
  accounts AS (
    SELECT w.kind, (SELECT j.account_id FROM jobs j
                     WHERE j.state = 'ready' AND j.kind = w.kind
                     ORDER BY j.account_id LIMIT 1) AS account_id
      FROM wanted w
    UNION ALL
    SELECT a.kind, (SELECT j.account_id FROM jobs j
                     WHERE j.state = 'ready' AND j.kind = a.kind AND j.account_id > a.account_id
                     ORDER BY j.account_id LIMIT 1)
      FROM accounts a WHERE a.account_id IS NOT NULL),
  places AS MATERIALIZED (
    SELECT a.kind, a.account_id, w.lane,
           least(w.room, w.share - coalesce(load.running, 0)) AS room
      FROM accounts a
      JOIN wanted w ON w.kind = a.kind
      LEFT JOIN load ON load.lane = w.lane AND load.account_id = a.account_id
     WHERE a.account_id IS NOT NULL AND ${mayRun('w.lane', 'a.account_id')}),
  claimable AS (
    SELECT p.lane, job.* FROM (SELECT * FROM places WHERE room > 0 OFFSET 0) p
     CROSS JOIN LATERAL (
       SELECT j.kind, j.key, j.account_id, j.state, j.due_at, j.ordinal FROM jobs j
        WHERE j.state = 'ready' AND j.kind = p.kind AND j.account_id = p.account_id
          AND ${IS_FIRST}
        ORDER BY j.due_at, j.ordinal LIMIT p.room) job
    UNION ALL
    -- All: dead workers leave no more than they had begun.
    SELECT w.lane, j.kind, j.key, j.account_id, j.state, j.due_at, j.ordinal
      FROM jobs j JOIN wanted w ON w.kind = j.kind
     WHERE j.state = 'running' AND j.held_until < clock_timestamp()
       AND ${mayRun('w.lane', 'j.account_id')} AND ${IS_FIRST}),
  turns AS (
    SELECT c.*, coalesce(load.running, 0) + row_number() OVER (
             PARTITION BY c.lane, c.account_id ORDER BY c.due_at, c.ordinal) AS turn
      FROM claimable c
      LEFT JOIN load ON load.lane = c.lane AND load.account_id = c.account_id),
  -- Looked at again once it is locked: another worker may have taken it meanwhile.
  chosen AS (
    SELECT c.* FROM (SELECT DISTINCT w.lane, w.room, w.share FROM wanted w) l
     CROSS JOIN LATERAL (
       SELECT j.kind, j.key, j.claim IS NOT NULL AS begun, t.state
         FROM turns t JOIN jobs j ON j.kind = t.kind AND j.key = t.key
        WHERE t.lane = l.lane AND t.turn <= l.share AND j.state = t.state
          AND (j.state <> 'running' OR j.held_until < clock_timestamp())
        ORDER BY t.turn, t.due_at, t.ordinal LIMIT l.room
          FOR UPDATE OF j SKIP LOCKED) c),
  taken AS (
    UPDATE jobs j
       SET state = 'running', claim = gen_random_uuid(), attempts = j.attempts + 1, again = false,
           held_until = clock_timestamp() + claim_ms * interval '1 millisecond',
           updated_at = clock_timestamp()
      FROM chosen c
     WHERE j.kind = c.kind AND j.key = c.key
    RETURNING j.kind, j.key,
              CASE WHEN c.state = 'running' THEN 'running' WHEN c.begun THEN 'waiting'
                   ELSE 'ready' END AS found)
  SELECT array_agg(t.kind), array_agg(t.key), array_agg(t.found)
    INTO taken_kinds, taken_keys, taken_found FROM taken t;
  IF taken_kinds IS NULL THEN RETURN; END IF;

  -- A statement of its own, with the jobs in hand: what asks for one from now on asks for it again.
  RETURN QUERY
  WITH given AS MATERIALIZED (
    SELECT j.kind, j.key, j.account_id, j.subject_id,
           CASE WHEN j.subject_id IS NULL THEN 0 ELSE
             (SELECT coalesce(max(v.version), 0) FROM events v
               WHERE v.stream_type IN ('payment', 'merchant') AND v.stream_id = j.subject_id)
           END::integer,
           j.due_at, j.attempts::integer, t.found, j.progress, j.claim,
           CASE WHEN j.intent_id IS NULL THEN '[]' ELSE
             (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'id', w.id::text, 'eventId', w.event_id,
                       'type', left(w.type, ${MAX_TYPE_CHARS}),
                       'intentId', w.intent_id, 'paymentId', w.order_id, 'status', w.status)
                       ORDER BY w.id), '[]')
                FROM (SELECT * FROM webhooks_received r
                       WHERE r.handled_at IS NULL AND r.account_id = j.account_id
                         AND coalesce(r.intent_id, '') = j.intent_id
                       ORDER BY r.id LIMIT ${MAX_WEBHOOKS}) w)
           END AS asked_by
      FROM unnest(taken_kinds, taken_keys, taken_found) AS t(kind, key, found)
      JOIN jobs j ON j.kind = t.kind AND j.key = t.key),
  -- What may have further webhooks runs once more; other jobs cost a look at what is given.
  filled AS (
    UPDATE jobs j SET again = true FROM given g
     WHERE jsonb_array_length(g.asked_by) = ${MAX_WEBHOOKS} AND j.kind = g.kind AND j.key = g.key)
  SELECT * FROM given;
END
$$;
`;
