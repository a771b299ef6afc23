import type { PoolClient } from 'pg';
import { onServer } from '../infra/databases.mjs';
import { RECORD_ROWS, type RowFacts, rowFacts } from './row-record.js';

/**
 * One in this many ended jobs, and one in this many saved sagas, gets a planted conflict: the
 * database acts as if another process had changed the row just before the commit. The rows are
 * selected by counting instead of at random, so that every run contains conflicts.
 */
const PLANTED_EVERY = 12;
/**
 * One in this many commits with events stays open for a while after it has written its events, so
 * that other transactions with later events commit before it.
 */
const SLOW_EVERY = 15;
const SLOW_SECONDS = 0.15;
/** How long a planted claim lasts. It represents the claim of a worker that has died. */
const PLANTED_CLAIM_SECONDS = 2;

const PARAMETERS =
  'locks bigint[], appends json, new_events json, saga_writes json, names json, answers json, ' +
  'ended json, jobs_set json, webhooks json';
const TYPES = 'bigint[], json, json, json, json, json, json, json, json';

/**
 * Replaces `commit_steps` by a function that calls the original function. Before this call, the new
 * function takes the same locks, and records whether the job claims, stream versions and saga
 * versions of the steps are still current. In some steps it plants a conflict, so that the step
 * must not be committed: another worker has claimed the job, or another process has saved the saga.
 * It also keeps some transactions open after they have written their events.
 */
const RECORD = `
CREATE SCHEMA chaos;
CREATE SEQUENCE chaos.ended;
CREATE SEQUENCE chaos.saved;
CREATE SEQUENCE chaos.appended;
CREATE SEQUENCE chaos.queued;
CREATE TABLE chaos.writes (
  what text, id text, is_current boolean, is_planted boolean, is_written boolean);
CREATE TABLE chaos.planting AS SELECT true AS is_on;
CREATE TABLE chaos.overlaps (subject_id text, job text, other text, rows jsonb);

CREATE FUNCTION chaos.note_overlap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO chaos.overlaps
  SELECT NEW.subject_id, NEW.kind || ' ' || NEW.key, o.kind || ' ' || o.key,
         jsonb_build_object('job', to_jsonb(NEW), 'before', to_jsonb(OLD), 'other', to_jsonb(o),
                            'at', clock_timestamp())
    FROM jobs o
   WHERE o.subject_id = NEW.subject_id AND (o.kind, o.key) <> (NEW.kind, NEW.key)
     AND o.state = 'running' AND o.held_until > clock_timestamp();
  RETURN NULL;
END $$;
CREATE TRIGGER note_overlap AFTER INSERT OR UPDATE OF claim ON jobs
   FOR EACH ROW WHEN (NEW.subject_id IS NOT NULL AND NEW.state = 'running')
   EXECUTE FUNCTION chaos.note_overlap();

ALTER FUNCTION commit_steps(${TYPES}) RENAME TO commit_steps_recorded;
CREATE FUNCTION commit_steps(${PARAMETERS}) RETURNS jsonb LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = public, pg_temp
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  result jsonb;
  refused integer[];
  planted text[] := '{}';
  found jsonb := '[]';
BEGIN
  PERFORM pg_advisory_xact_lock(key) FROM unnest(locks) AS key;
  PERFORM set_config('chaos.commits', 'on', true), set_config('chaos.plants', 'on', true);
  IF ended IS NOT NULL THEN
    WITH chosen AS MATERIALIZED (
      SELECT x.kind, x.key, x.claim, nextval('chaos.ended') % ${PLANTED_EVERY} = 0 AS is_planted
        FROM json_to_recordset(ended) AS x(kind text, key text, claim uuid), chaos.planting),
    lost AS (
      UPDATE jobs j
         SET claim = gen_random_uuid(),
             held_until = clock_timestamp() + interval '${PLANTED_CLAIM_SECONDS} s'
        FROM chosen c
       WHERE c.is_planted AND j.kind = c.kind AND j.key = c.key AND j.claim = c.claim
         AND j.state = 'running'
      RETURNING j.kind || ' ' || j.key AS id)
    SELECT coalesce(array_agg(id), '{}') INTO planted FROM lost;
  END IF;
  IF saga_writes IS NOT NULL THEN
    WITH chosen AS MATERIALIZED (
      SELECT w.saga, w.key, w.expected, nextval('chaos.saved') % ${PLANTED_EVERY} = 0 AS is_planted
        FROM json_to_recordset(saga_writes) AS w(saga text, key text, expected int, state jsonb),
             chaos.planting
       WHERE w.state IS NOT NULL AND w.expected > 0),
    lost AS (
      UPDATE sagas g SET version = g.version + 1
        FROM chosen c
       WHERE c.is_planted AND g.saga = c.saga AND g.key = c.key AND g.version = c.expected
      RETURNING g.saga || ' ' || g.key AS id)
    SELECT planted || coalesce(array_agg(id), '{}') INTO planted FROM lost;
  END IF;

  PERFORM set_config('chaos.plants', 'off', true);

  SELECT coalesce(jsonb_agg(to_jsonb(f)), '[]') INTO found FROM (
    SELECT x.s, 'job' AS what, x.kind || ' ' || x.key AS id,
           coalesce(j.claim IS NOT DISTINCT FROM x.claim
                    AND j.state = coalesce(x.expected, 'running'), false) AS is_current
      FROM json_to_recordset(coalesce(ended, '[]'))
           AS x(s int, kind text, key text, claim uuid, expected text)
      LEFT JOIN jobs j ON j.kind = x.kind AND j.key = x.key
    UNION ALL
    SELECT a.s, 'stream', a.id, a.expected = coalesce(
             (SELECT max(e.version) FROM events e
               WHERE e.stream_type = a.type AND e.stream_id = a.id), 0)
      FROM json_to_recordset(coalesce(appends, '[]')) AS a(s int, type text, id text, expected int)
    UNION ALL
    SELECT w.s, 'saga', w.saga || ' ' || w.key, w.expected = coalesce(
             (SELECT g.version FROM sagas g WHERE g.saga = w.saga AND g.key = w.key), 0)
      FROM json_to_recordset(coalesce(saga_writes, '[]'))
           AS w(s int, saga text, key text, expected int)) AS f;

  -- The saga waits before and after this step, and no retry was attempted: an event arrived.
  PERFORM nextval('chaos.queued')
     FROM json_to_recordset(coalesce(saga_writes, '[]')) AS w(saga text, key text, waiting jsonb)
     JOIN sagas g ON g.saga = w.saga AND g.key = w.key
    WHERE g.waiting ->> 'attempts' = w.waiting ->> 'attempts';

  result := commit_steps_recorded(locks, appends, new_events, saga_writes, names, answers, ended,
                                  jobs_set, webhooks);

  SELECT coalesce(array_agg((c ->> 'step')::int), '{}') INTO refused
    FROM jsonb_array_elements(coalesce(result, '[]')) AS c WHERE c ->> 'kind' <> 'queued';
  INSERT INTO chaos.writes
  SELECT f.what, f.id, f.is_current, f.id = ANY (planted), f.s <> ALL (refused)
    FROM jsonb_to_recordset(found) AS f(s int, what text, id text, is_current boolean);
  IF appends IS NOT NULL AND nextval('chaos.appended') % ${SLOW_EVERY} = 0
     AND EXISTS (SELECT FROM chaos.planting) THEN
    PERFORM pg_sleep(${SLOW_SECONDS});
  END IF;
  RETURN result;
END $$;
GRANT EXECUTE ON FUNCTION commit_steps(${TYPES}) TO PUBLIC`;

/** Whether the run's commits were based on current claims and versions. */
export interface CommitFacts {
  /** How many rows of each kind were written, and how many of them had a planted conflict. */
  readonly counts: readonly {
    readonly what: 'job' | 'stream' | 'saga';
    readonly all: number;
    readonly planted: number;
    readonly outdated: number;
  }[];
  /** Rows that were written although their claim or version was no longer current. */
  readonly unchecked: readonly { readonly what: string; readonly id: string }[];
  /** How often an event arrived while its saga waited for the retry of a failed reaction. */
  readonly queued: number;
  /** Provider requests that ran while another request of the same object was running. */
  readonly overlaps: readonly {
    readonly subjectId: string;
    readonly jobs: string;
    /** The rows of the two jobs that ran at the same time, as JSON. */
    readonly rows: string;
  }[];
  readonly rows: RowFacts;
}

/** Records every commit from now on. `url` is the database's URL for the administrator. */
export const recordCommits = (url: string): Promise<void> =>
  onServer(url, async (client) => {
    await client.query(RECORD);
    await client.query(RECORD_ROWS);
  });

/** Sets whether some steps have planted conflicts from now on. */
export const plantRaces = (url: string, areOn: boolean): Promise<void> =>
  onServer(url, async (client) => {
    await client.query('DELETE FROM chaos.planting');
    if (areOn) await client.query('INSERT INTO chaos.planting VALUES (true)');
  });

/** The recorded commits; null if the database does not record commits. */
export const commitFacts = async (on: Pick<PoolClient, 'query'>): Promise<CommitFacts | null> => {
  const { rows } = await on.query(`SELECT FROM pg_namespace WHERE nspname = 'chaos'`);
  if (rows.length === 0) return null;
  const counts = await on.query<CommitFacts['counts'][number]>(
    `SELECT what, count(*)::int AS all, count(*) FILTER (WHERE is_planted)::int AS planted,
            count(*) FILTER (WHERE NOT is_current)::int AS outdated
       FROM chaos.writes GROUP BY what ORDER BY what`,
  );
  const unchecked = await on.query<CommitFacts['unchecked'][number]>(
    'SELECT DISTINCT what, id FROM chaos.writes WHERE is_written AND NOT is_current',
  );
  const overlaps = await on.query<CommitFacts['overlaps'][number]>(
    `SELECT subject_id AS "subjectId", job || ', ' || other AS jobs, rows::text FROM chaos.overlaps`,
  );
  const queued = await on.query<{ count: number }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS count FROM chaos.queued',
  );
  return {
    counts: counts.rows,
    unchecked: unchecked.rows,
    queued: queued.rows[0]?.count ?? 0,
    overlaps: overlaps.rows,
    rows: await rowFacts(on),
  };
};
