import type { MigrationInterface, QueryRunner } from 'typeorm';
import { waitForOlderTransactions } from './older-transactions.js';

/** Longer than the 30 seconds that a transaction of an app may take. */
const MAX_WAIT_MS = 60_000;

/**
 * What the sagas react to, the streams on which that happens, and the key of the instance that
 * does, as of this release.
 */
const REACTED = {
  checkout: {
    key: `e.metadata ->> 'correlationId'`,
    streams: ['order', 'payment'],
    types: [
      'OrderPlaced', 'OrderCancellationRequested', 'OrderExpiryReached', 'PaymentAuthorized',
      'DirectDebitAccepted', 'CaptureAccepted', 'CaptureSent', 'PaymentCaptured',
      'PaymentCanceled', 'AuthorizationExpired', 'DirectDebitReturned', 'IntentRejected',
      'AttemptRefused', 'DebitRejected', 'RefundSucceeded', 'DisputeObserved',
    ],
  },
  onboarding: {
    key: 'e.stream_id',
    streams: ['merchant'],
    types: [
      'MerchantDrafted', 'DetailsRevised', 'RegistrationRequested', 'RegistrationRejected',
      'RegistrationFoundAbsent', 'CompanyCallUnknown', 'CompanyRegistered',
      'CompanyStatusChanged', 'EarlierStatusFound', 'DocumentsUploaded', 'DocumentRemoved',
      'MerchantOpened', 'MerchantClosed', 'PersonalDataErased',
    ],
  },
} as const;

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/**
 * Sagas react in the step that decided an event, and no longer consume the topics: the tables of
 * their consumers are dropped. An event that a consumer had not taken, on its way or parked, waits
 * as a reaction of its instance, due at once and in the order of the log; one that was skipped is a
 * discarded reaction. No process of the release before may run: the migration before this one
 * refuses its commits, and this one waits for those that had begun.
 */
export class Reactions1760000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The wait and the reading of the whole log may take longer than an app's transaction.
    await runner.query('SET LOCAL transaction_timeout = 0');
    await waitForOlderTransactions(runner, MAX_WAIT_MS);
    await runner.query(`
      -- waiting: what the instance could not react to, oldest first. retry_at: when that is tried
      -- again; 'infinity' while it is blocked until a person acts. Wall time.
      ALTER TABLE sagas ADD COLUMN waiting jsonb, ADD COLUMN retry_at timestamptz,
        ADD COLUMN failing_since timestamptz;
      CREATE INDEX sagas_waiting ON sagas (retry_at) WHERE waiting IS NOT NULL;

      -- Reactions that a person discarded, and why. Kept for ever.
      CREATE TABLE discarded_reactions (
        id            uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
        saga          text        NOT NULL,
        key           text        NOT NULL,
        stream_type   text,
        stream_id     text,
        version       integer,
        stimulus      text        NOT NULL,
        error         text        NOT NULL,
        reason        text        NOT NULL,
        actor         text        NOT NULL,
        discarded_at  timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      INSERT INTO discarded_reactions (saga, key, stream_type, stream_id, version, stimulus, error,
                                       reason, actor, discarded_at)
      SELECT s.consumer,
             CASE s.consumer WHEN 'checkout'
               THEN coalesce(e.metadata ->> 'correlationId', s.stream_id)
               ELSE s.stream_id END,
             s.stream_type, s.stream_id, s.version, s.event_type, s.error, s.reason, s.actor,
             s.skipped_at
        FROM skipped_messages s
        LEFT JOIN events e ON e.stream_type = s.stream_type AND e.stream_id = s.stream_id
                          AND e.version = s.version;
      DROP TABLE skipped_messages;
      CREATE INDEX discarded_reactions_by_time ON discarded_reactions (discarded_at DESC, id DESC);
    `);
    for (const [saga, { key, streams, types }] of Object.entries(REACTED)) {
      await runner.query(`
        INSERT INTO sagas AS g (saga, key, version, state, done, waiting, retry_at, failing_since)
        SELECT '${saga}', ${key}, 1, '{"status": "none"}', false,
               jsonb_build_object('attempts', 0, 'error', 'not taken before the upgrade',
                 'stimuli', jsonb_agg(jsonb_build_object('from', 'event',
                   'streamType', e.stream_type, 'streamId', e.stream_id, 'version', e.version)
                   ORDER BY e.epoch, e.transaction_id, e.position)),
               clock_timestamp(), clock_timestamp()
          FROM events e
          LEFT JOIN inbox i ON i.consumer = '${saga}' AND i.stream_type = e.stream_type
                           AND i.stream_id = e.stream_id
         WHERE e.stream_type IN (${quoted(streams)}) AND e.type IN (${quoted(types)})
           AND e.version > coalesce(i.version, 0)
           -- What names no instance is reacted to by none.
           AND ${key} IS NOT NULL
         GROUP BY ${key}
            ON CONFLICT (saga, key) DO UPDATE
           SET version = g.version + 1, waiting = excluded.waiting, retry_at = excluded.retry_at,
               failing_since = excluded.failing_since, done = false;
      `);
    }
    await runner.query(`
      -- What is open names a stream of a consumer, and no reaction.
      UPDATE admin_actions
         SET status = CASE status WHEN 'executing' THEN 'failed' ELSE 'expired' END,
             ended_at = least(expires_at, now()),
             outcome = '{"code": "not_waiting", "message": "parked streams are failed reactions now: request it for one of those"}'
       WHERE kind IN ('release_parked', 'skip_parked') AND status IN ('pending', 'executing');
      UPDATE admin_actions SET kind = 'retry_reaction' WHERE kind = 'release_parked';
      UPDATE admin_actions SET kind = 'discard_reaction' WHERE kind = 'skip_parked';
      DROP TABLE parked_keys, inbox;
      DROP FUNCTION commit_steps;
    `);
    await runner.query(COMMIT_STEPS);
  }

  /** Which events the consumers had taken is not known any more. */
  async down(): Promise<void> {
    await Promise.reject(new Error('the consumers of the sagas cannot be brought back: restore'));
  }
}

/**
 * Commits a batch of whole steps in one statement, so in one transaction and one round trip: lock,
 * compare, write, as before. An instance of a saga is compared also where it stays as it was, and
 * written with what it could not react to.
 */
const COMMIT_STEPS = `
CREATE FUNCTION commit_steps(
  locks bigint[], appends json, new_events json, saga_writes json, names json, answers json,
  fired json, deadline_changes json, calls json, results json, webhooks json
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
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
  IF fired IS NOT NULL THEN
    SELECT array_agg((f.s, 'fired', jsonb_build_object('id', f.key))::step_conflict)
      INTO found
      FROM json_to_recordset(fired) AS f(s int, kind text, key text, due timestamptz)
     WHERE NOT EXISTS (SELECT FROM deadlines d
                        WHERE d.kind = f.kind AND d.key = f.key AND d.due_at = f.due);
    conflicts := conflicts || found;
  END IF;
  IF results IS NOT NULL THEN
    SELECT array_agg((x.s, 'effect', jsonb_build_object('id', x.id))::step_conflict)
      INTO found
      FROM json_to_recordset(results) AS x(s int, id uuid, claim uuid)
     WHERE NOT EXISTS (SELECT FROM effects e
                        WHERE e.job_id = x.id AND e.claim = x.claim AND e.state = 'calling');
    conflicts := conflicts || found;
  END IF;
  IF webhooks IS NOT NULL THEN
    SELECT array_agg((h.s, 'webhook', jsonb_build_object('id', h.id))::step_conflict)
      INTO found
      FROM json_to_recordset(webhooks) AS h(s int, id bigint)
      JOIN webhooks_received w ON w.id = h.id AND w.handled_at IS NOT NULL;
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
    INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
    SELECT e.stream_type, e.stream_id, e.version, e.event_id, e.type, e.schema_version, e.data, e.metadata
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
  IF fired IS NOT NULL THEN
    DELETE FROM deadlines d
     USING json_to_recordset(fired) AS f(s int, kind text, key text)
     WHERE d.kind = f.kind AND d.key = f.key AND f.s <> ALL (failed);
  END IF;
  IF deadline_changes IS NOT NULL THEN
    DELETE FROM deadlines d
     USING json_to_recordset(deadline_changes)
           AS n(s int, kind text, key text, due timestamptz)
     WHERE d.kind = n.kind AND d.key = n.key AND n.due IS NULL AND n.s <> ALL (failed);
    INSERT INTO deadlines (kind, key, due_at, tries)
    SELECT n.kind, n.key, n.due, n.tries
      FROM json_to_recordset(deadline_changes)
           AS n(s int, kind text, key text, due timestamptz, tries int)
     WHERE n.due IS NOT NULL AND n.s <> ALL (failed)
        ON CONFLICT (kind, key) DO UPDATE
       SET due_at = excluded.due_at, tries = excluded.tries, claimed_until = NULL;
  END IF;
  IF calls IS NOT NULL THEN
    INSERT INTO effects (job_id, kind, subject_id, account_id)
    SELECT e.id, e.kind, e.subject, e.account
      FROM json_to_recordset(calls)
           AS e(s int, id uuid, kind text, subject text, account text)
     WHERE e.s <> ALL (failed);
  END IF;
  IF results IS NOT NULL THEN
    UPDATE effects e
       SET state = x.state, due_at = x.due, note = x.note, claim = NULL, claimed_until = NULL,
           updated_at = clock_timestamp()
      FROM json_to_recordset(results)
           AS x(s int, id uuid, state text, due timestamptz, note text)
     WHERE e.job_id = x.id AND x.s <> ALL (failed);
  END IF;
  IF webhooks IS NOT NULL THEN
    UPDATE webhooks_received w
       SET handled_at = clock_timestamp(), claimed_until = NULL, note = h.note
      FROM json_to_recordset(webhooks) AS h(s int, id bigint, note text)
     WHERE w.id = h.id AND h.s <> ALL (failed);
  END IF;

  RETURN to_jsonb(conflicts);
END
$$
`;
