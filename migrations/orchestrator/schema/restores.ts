/**
 * A request to the provider that ended at most this long before the end of the restored log counts
 * as recent: the log may have lost an event about the request.
 */
const LATELY = '1 hour';

/**
 * How long a process that still runs after the promotion of a replica may wait for a response of
 * the provider. The provider is read only after this time, when the claim of that process has
 * ended.
 */
const MAY_STILL_ARRIVE = '25 seconds';

/**
 * The new epoch is the time in minutes, so that it is also after the epochs that began in the lost
 * time: the restored log does not know them, but readers have cursors of them.
 */
const NEW_EPOCH = `greatest(epoch + 1, (extract(epoch FROM clock_timestamp()) / 60)::integer)`;

/**
 * A function of the owner, so that no app can record any other restore. It begins a new epoch: the
 * server assigns the transaction ids of the lost time again, and readers have cursors of that time.
 * Only payments are read, because requests for a merchant move no money. An account that was
 * disabled before the lost time began took no orders in that time. An account that is still to be
 * read since an earlier restore is read from that restore on, and from its first page: the list is
 * newest first, and has grown. A run that has begun loses its claim.
 */
export const NOTE_RESTORE_FUNCTION = `
CREATE OR REPLACE FUNCTION note_restore(is_certain boolean) RETURNS void LANGUAGE plpgsql
-- As in the grants.
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lost_since timestamptz;
  read_from timestamptz := clock_timestamp() + interval '${MAY_STILL_ARRIVE}';
BEGIN
  -- An operator may record a restore while apps commit by mistake. No commit may add an event to the
  -- epoch before, of which the readers take all events to be committed.
  IF is_certain THEN LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; END IF;
  UPDATE log_identity SET incarnation = log_incarnation(), epoch = ${NEW_EPOCH}
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

/**
 * How a restore of the log is detected, and what must be read from the provider before money moves
 * again.
 */
export const RESTORES = `
-- The server, its timeline and the table itself: a restore changes one of them at least.
CREATE FUNCTION log_incarnation() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT c.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
         || '/' || 'events'::regclass::oid FROM pg_control_system() c
$$;

-- Which server's transaction ids the log is ordered by; a restore begins a new epoch.
CREATE TABLE log_identity (
  only_row           boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch              integer NOT NULL,
  system_identifier  text    NOT NULL,
  incarnation        text
);
INSERT INTO log_identity (epoch, system_identifier, incarnation)
SELECT 1, system_identifier::text, log_incarnation() FROM pg_control_system();

-- lost_since: business time of the newest event that was left. began_at: business time at
-- which the first process went on; what the provider shows of between them may be of ours.
CREATE TABLE log_restores (
  id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  lost_since  timestamptz NOT NULL,
  began_at    timestamptz
);

-- Debits that the provider made in the lost time for payments that the log does not know.
-- unrelated_payments: payments that do not ask for the same debit again, as a person has said.
CREATE TABLE lost_debits (
  attempt_id    text        PRIMARY KEY,
  account_id    text        NOT NULL,
  mandate_id    text        NOT NULL,
  amount_minor  bigint      NOT NULL,
  currency      text        NOT NULL,
  created_at    timestamptz NOT NULL,
  unrelated_payments    text[]      NOT NULL DEFAULT '{}'
);
CREATE INDEX lost_debits_of_mandate ON lost_debits (account_id, mandate_id);

${NOTE_RESTORE_FUNCTION}`;
