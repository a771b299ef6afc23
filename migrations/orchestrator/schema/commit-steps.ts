/**
 * Commits a batch of whole steps in one statement, so in one transaction and one round trip. It
 * proceeds in this order: lock, compare, write. It writes nothing before it has all its locks: an
 * earlier write would give the transaction its id too early, and a reader in (transaction_id,
 * position) order would see version 6 of a stream before version 5. Each statement of a volatile
 * function has a separate snapshot, so the comparison sees everything that was committed before the
 * locks were granted. A step that conflicts is not written at all; the other steps are not
 * affected.
 *
 * Each list is a JSON array of rows, or NULL if no step of the batch has such rows; each row has
 * `s`, the number of its step in the batch. The version of a saga is compared even if the saga is
 * unchanged; the events and deadlines to which the saga could not react are stored with it. A job
 * ends only if the claim under which it was run is still valid; a stuck job about which an operator
 * decides is only compared, and must not have been run since. A new job that has a claim begins
 * immediately in the process that commits it. But if an earlier job of its subject is open, or if
 * the account of the job must still be read after a restore, the job is queued, and the result
 * names it. A stuck job whose request is not needed any more is retried: its run ends it.
 */
export const COMMIT_STEPS_FUNCTION = `
CREATE OR REPLACE FUNCTION commit_steps(
  locks bigint[], appends json, new_events json, saga_writes json, names json, answers json,
  ended json, jobs_set json, webhooks json
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
-- As in the grants: a function that is replaced would run with its caller's rights until the grants
-- are applied, and the processes of the release before could commit nothing.
SECURITY DEFINER SET search_path = public, pg_temp
-- A list has a few rows, whatever the planner assumes of it: always look them up by their key. On
-- tables that have grown and are not analyzed yet, plans kept from when they were empty would hash
-- a whole table for each commit (measured: 70 ms instead of 3 at 200 000 orders).
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  conflicts step_conflict[];
  found step_conflict[];
  failed integer[] := '{}';
BEGIN
  -- Lock: the caller sorts the keys, so that no two batches wait for each other in a circle.
  PERFORM pg_advisory_xact_lock(key) FROM unnest(locks) AS key;

  -- Compare.
  IF appends IS NOT NULL THEN
    SELECT array_agg((a.s, 'version', jsonb_build_object('id', a.id))::step_conflict)
      INTO conflicts
      FROM json_to_recordset(appends) AS a(s int, type text, id text, expected int)
     WHERE a.expected <> coalesce((SELECT e.version FROM events e
                                    WHERE e.stream_type = a.type AND e.stream_id = a.id
                                    ORDER BY e.version DESC LIMIT 1), 0);
  END IF;
  IF saga_writes IS NOT NULL THEN
    SELECT array_agg((w.s, 'saga', jsonb_build_object('id', w.key))::step_conflict)
      INTO found
      FROM json_to_recordset(saga_writes) AS w(s int, saga text, key text, expected int)
     WHERE w.expected <> coalesce((SELECT g.version FROM sagas g
                                    WHERE g.saga = w.saga AND g.key = w.key), 0);
    conflicts := conflicts || found;
  END IF;
  IF ended IS NOT NULL THEN
    -- Held until the write: a lapsed claim is not given to another worker between the two.
    PERFORM FROM jobs j JOIN json_to_recordset(ended) AS x(kind text, key text)
        ON j.kind = x.kind AND j.key = x.key
     ORDER BY j.kind, j.key FOR UPDATE OF j;
    SELECT array_agg((x.s, 'job', jsonb_build_object('id', x.kind || ' ' || x.key))::step_conflict)
      INTO found
      FROM json_to_recordset(ended) AS x(s int, kind text, key text, claim uuid, expected text)
     WHERE NOT EXISTS (SELECT FROM jobs j
                        WHERE j.kind = x.kind AND j.key = x.key
                          AND j.claim IS NOT DISTINCT FROM x.claim
                          AND j.state = coalesce(x.expected, 'running'));
    conflicts := conflicts || found;
  END IF;
  IF names IS NOT NULL THEN
    SELECT array_agg((n.s, 'reservation', to_jsonb(v))::step_conflict)
      INTO found
      FROM json_to_recordset(names) AS n(s int, scope text, key text)
      JOIN reservations v ON v.scope = n.scope AND v.key = n.key;
    conflicts := conflicts || found;
  END IF;
  IF answers IS NOT NULL THEN
    SELECT array_agg((q.s, 'answer', jsonb_build_object(
             'fingerprint', k.fingerprint, 'status', k.status, 'body', k.body))::step_conflict)
      INTO found
      FROM json_to_recordset(answers) AS q(s int, platform text, key text)
      JOIN idempotency_keys k ON k.platform_id = q.platform AND k.key = q.key;
    conflicts := conflicts || found;
  END IF;
  IF conflicts IS NOT NULL THEN
    failed := ARRAY(SELECT c.step FROM unnest(conflicts) AS c);
  END IF;

  -- Write.
  IF new_events IS NOT NULL THEN
    INSERT INTO events (epoch, stream_type, stream_id, version, event_id, type, schema_version,
                        data, metadata)
    SELECT (SELECT l.epoch FROM log_identity l WHERE l.only_row), e.stream_type, e.stream_id,
           e.version, e.event_id, e.type, e.schema_version, e.data, e.metadata
      FROM json_to_recordset(new_events)
           AS e(s int, stream_type text, stream_id text, version int, event_id uuid, type text,
                schema_version smallint, data json, metadata json)
     WHERE e.s <> ALL (failed);
  END IF;
  IF saga_writes IS NOT NULL THEN
    INSERT INTO sagas AS g (saga, key, version, state, done, waiting, retry_at, failing_since)
    SELECT w.saga, w.key, w.expected + 1, w.state, w.done, w.waiting,
           CASE WHEN w.waiting IS NOT NULL THEN clock_timestamp() + w.after END,
           CASE WHEN w.waiting IS NOT NULL THEN clock_timestamp() END
      FROM json_to_recordset(saga_writes)
           AS w(s int, saga text, key text, expected int, state jsonb, done boolean,
                waiting jsonb, after interval)
     WHERE w.state IS NOT NULL AND w.s <> ALL (failed)
        ON CONFLICT (saga, key) DO UPDATE
       SET version = excluded.version, state = excluded.state, done = excluded.done,
           waiting = excluded.waiting,
           -- What waits already keeps its time when more is put behind it.
           retry_at = CASE WHEN excluded.waiting IS NOT NULL
                           THEN coalesce(excluded.retry_at, g.retry_at) END,
           -- Another one at the head, given its own retry, has failed since now.
           failing_since = CASE
             WHEN excluded.retry_at IS NOT NULL AND
                  excluded.waiting #> '{stimuli,0}' IS DISTINCT FROM g.waiting #> '{stimuli,0}'
             THEN excluded.failing_since
             WHEN excluded.waiting IS NOT NULL
             THEN coalesce(g.failing_since, excluded.failing_since) END,
           updated_at = clock_timestamp();
  END IF;
  IF names IS NOT NULL THEN
    INSERT INTO reservations (scope, key, holder)
    SELECT n.scope, n.key, n.holder
      FROM json_to_recordset(names) AS n(s int, scope text, key text, holder text)
     WHERE n.s <> ALL (failed);
  END IF;
  IF answers IS NOT NULL THEN
    INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body)
    SELECT q.platform, q.key, q.fingerprint, q.status, q.body
      FROM json_to_recordset(answers)
           AS q(s int, platform text, key text, fingerprint text, status smallint, body jsonb)
     WHERE q.s <> ALL (failed);
  END IF;
  IF ended IS NOT NULL THEN
    DELETE FROM jobs j
     USING json_to_recordset(ended) AS x(s int, kind text, key text, state text)
     WHERE j.kind = x.kind AND j.key = x.key AND x.state IS NULL AND NOT j.again
       AND x.s <> ALL (failed);
    UPDATE jobs j
       SET state = coalesce(x.state, 'ready'), due_at = coalesce(x.due, j.due_at),
           note = coalesce(x.note, ''), again = false, held_until = NULL,
           attempts = CASE WHEN x.state IS NULL THEN 0 ELSE j.attempts END,
           updated_at = clock_timestamp()
      FROM json_to_recordset(ended)
           AS x(s int, kind text, key text, expected text, state text, due timestamptz,
                note text)
     WHERE j.kind = x.kind AND j.key = x.key AND x.s <> ALL (failed)
       AND coalesce(x.state, 'ready') <> coalesce(x.expected, 'running');
  END IF;
  IF jobs_set IS NOT NULL THEN
    -- Waiting and not ready: the next run must not take the request for one that was never sent.
    UPDATE jobs j
       SET state = 'waiting', due_at = timestamptz 'epoch', attempts = 0, held_until = NULL,
           claim = coalesce(j.claim, gen_random_uuid()), updated_at = clock_timestamp(),
           note = left('released: not needed any more; was: ' || j.note, 500),
           progress = jsonb_build_object('failedAt', j.updated_at) || j.progress
      FROM json_to_recordset(jobs_set) AS n(s int, kind text, state text, subject text)
     WHERE n.state = 'unneeded' AND j.subject_id = n.subject AND j.kind = n.kind
       AND j.state = 'stuck' AND n.s <> ALL (failed);
    DELETE FROM jobs j
     USING json_to_recordset(jobs_set) AS n(s int, kind text, key text, state text)
     WHERE j.kind = n.kind AND j.key = n.key AND n.state IS NULL AND n.s <> ALL (failed);
    WITH asked AS MATERIALIZED (
      -- The least instead of EXISTS: that would be planned as a hash of all open jobs.
      SELECT n.*, n.claim IS NOT NULL
               AND (SELECT min(o.ordinal) FROM jobs o
                     WHERE o.subject_id = n.subject AND o.state <> 'done') IS NULL
               AND (SELECT min(r.payment_id) FROM restore_reads r
                     WHERE r.account_id = n.account) IS NULL
             AS begins
        FROM json_to_recordset(jobs_set)
             AS n(s int, kind text, key text, state text, due timestamptz, account text,
                  subject text, progress jsonb, claim uuid, ms double precision)
       WHERE n.state IS NOT NULL AND n.state <> 'unneeded' AND n.s <> ALL (failed)),
    made AS (
      INSERT INTO jobs (kind, key, state, due_at, account_id, subject_id, progress, claim, attempts,
                        held_until)
      SELECT a.kind, a.key, CASE WHEN a.begins THEN 'running' ELSE a.state END, a.due,
             coalesce(a.account, ''), a.subject, coalesce(a.progress, '{}'),
             CASE WHEN a.begins THEN a.claim END, a.begins::int,
             CASE WHEN a.begins THEN clock_timestamp() + a.ms * interval '1 millisecond' END
        FROM asked a
          ON CONFLICT (kind, key) DO UPDATE
         SET due_at = excluded.due_at, progress = excluded.progress, state = excluded.state,
             attempts = excluded.attempts, claim = excluded.claim,
             held_until = excluded.held_until, note = '', updated_at = clock_timestamp())
    SELECT array_agg((a.s, 'queued', jsonb_build_object('key', a.key))::step_conflict)
      INTO found FROM asked a WHERE a.claim IS NOT NULL AND NOT a.begins;
    conflicts := conflicts || found;
  END IF;
  IF webhooks IS NOT NULL THEN
    UPDATE webhooks_received w
       SET handled_at = clock_timestamp(), tries = w.tries + 1, note = h.note
      FROM json_to_recordset(webhooks) AS h(s int, id bigint, note text)
     WHERE w.id = h.id AND w.handled_at IS NULL AND h.s <> ALL (failed);
  END IF;

  RETURN to_jsonb(conflicts);
END
$$;
`;

export const COMMIT_STEPS = `
CREATE TYPE step_conflict AS (step integer, kind text, detail jsonb);
${COMMIT_STEPS_FUNCTION}`;
