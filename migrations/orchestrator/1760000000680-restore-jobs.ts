import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What must be read since a restore waits as jobs do. `restore_reads` stays as what the claim asks:
 * of which accounts a payment is still to be read. That the log was restored is noted by a function
 * of the owner, so that no app may write of it what it likes.
 */
export class RestoreJobs1760000000680 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In the order of a claim, which changes jobs and then asks for the reads.
    await runner.query('LOCK TABLE jobs IN SHARE ROW EXCLUSIVE MODE');
    await runner.query('LOCK TABLE restore_reads, lost_debit_reads IN ACCESS EXCLUSIVE MODE');
    await runner.query(MOVED);
    await runner.query(LOG_INCARNATION);
    await runner.query(NOTE_RESTORE);
  }

  async down(): Promise<void> {
    await Promise.reject(new Error('the queues before cannot be brought back: restore'));
  }
}

/** A read that was begun is made again: a payment read twice, or a page, is read once. */
const MOVED = `
  INSERT INTO jobs (kind, key, account_id, due_at, held_until)
  SELECT 'restore.payment', payment_id, account_id, 'epoch', claimed_until FROM restore_reads;
  INSERT INTO jobs (kind, key, account_id, due_at, held_until, progress)
  SELECT 'restore.debits', account_id, account_id, 'epoch', claimed_until,
         jsonb_build_object('lostSince', floor(extract(epoch FROM lost_since))::bigint,
                            'start', next_start)
    FROM lost_debit_reads;
  DROP TABLE restore_reads, lost_debit_reads;
  CREATE VIEW restore_reads AS
  SELECT key AS payment_id, account_id FROM jobs WHERE kind = 'restore.payment';
  CREATE INDEX jobs_since_restore ON jobs (account_id) WHERE kind = 'restore.payment';
`;

/** The server, its timeline and the table itself: a restore changes one of them at least. */
const LOG_INCARNATION = `
  CREATE FUNCTION log_incarnation() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT c.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
           || '/' || 'events'::regclass::oid FROM pg_control_system() c
  $$;
`;

/** How long before the restored log ends a call was closed lately: its ending may have been lost. */
const LATELY = '1 hour';

/**
 * Where a replica was promoted, a process that still runs may send a call that it had begun: it holds
 * its claim, and waits for the answer, for no longer than this. What was made is read after it.
 */
const MAY_STILL_ARRIVE = '25 seconds';

/**
 * Payments alone: what is asked of the provider for a merchant moves no money. An account that was
 * disabled before the lost time began took no orders in it. One that is still to be read since an
 * earlier restore is read from then on, and from its first page: the list is newest first, and has
 * grown. A run that has begun has lost its claim.
 */
const NOTE_RESTORE = `
  CREATE FUNCTION note_restore(is_certain boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    lost_since timestamptz;
    read_from timestamptz := clock_timestamp() + interval '${MAY_STILL_ARRIVE}';
  BEGIN
    UPDATE log_identity SET incarnation = log_incarnation()
     WHERE is_certain OR incarnation IS DISTINCT FROM log_incarnation();
    IF NOT FOUND THEN RETURN; END IF;

    SELECT coalesce((e.data ->> 'at')::timestamptz, e.recorded_at) INTO lost_since FROM events e
     ORDER BY e.epoch DESC, e.transaction_id DESC, e.position DESC LIMIT 1;
    IF FOUND THEN
      INSERT INTO log_restores (lost_since) VALUES (lost_since);
      INSERT INTO jobs AS j (kind, key, account_id, due_at, held_until, progress)
      SELECT 'restore.debits', a.id, a.id, 'epoch', read_from,
             jsonb_build_object('lostSince', floor(extract(epoch FROM lost_since))::bigint,
                                'start', 0)
        FROM provider_accounts a WHERE a.disabled_at IS NULL
          ON CONFLICT (kind, key) DO UPDATE
         SET progress = j.progress || '{"start": 0}', state = 'waiting', due_at = excluded.due_at,
             claim = NULL, attempts = 0, held_until = excluded.held_until;
    END IF;

    INSERT INTO jobs (kind, key, account_id, due_at, held_until)
    SELECT 'restore.payment', called.subject_id, called.account_id, 'epoch', read_from FROM (
      SELECT subject_id, account_id FROM jobs
       WHERE state <> 'done' AND subject_id LIKE 'pay\\_%'
       UNION
      SELECT subject_id, account_id FROM jobs
       WHERE state = 'done' AND subject_id LIKE 'pay\\_%'
         AND updated_at >= (SELECT max(updated_at) FROM jobs WHERE state = 'done')
                           - interval '${LATELY}'
    ) AS called
        ON CONFLICT (kind, key) DO UPDATE
       SET state = 'waiting', claim = NULL, attempts = 0, held_until = excluded.held_until;
  END $$;
`;
