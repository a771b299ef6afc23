/** The table of all jobs. The function that claims jobs is in `claim-jobs.ts`. */
export const JOBS = `
-- waiting: until due_at, in business time; with held_until, until then by the database's clock,
-- after which it is ready. running: held by a worker until held_until. stuck: for a person.
CREATE TABLE jobs (
  kind        text        NOT NULL,
  key         text        NOT NULL,
  ordinal     bigint      GENERATED ALWAYS AS IDENTITY,
  -- Whose key its calls are made with; empty: no account's.
  account_id  text        NOT NULL DEFAULT '',
  -- Jobs of one subject run one after another; null: it waits for no other.
  subject_id  text,
  due_at      timestamptz NOT NULL,
  state       text        NOT NULL DEFAULT 'waiting'
              CHECK (state IN ('ready', 'running', 'waiting', 'stuck', 'done')),
  attempts    integer     NOT NULL DEFAULT 0,
  -- Of its last run; null: never begun.
  claim       uuid,
  held_until  timestamptz,
  -- Asked for while it was running: it then runs once more.
  again       boolean     NOT NULL DEFAULT false,
  note        text        NOT NULL DEFAULT '',
  progress    jsonb       NOT NULL DEFAULT '{}',
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Of the intent whose webhooks have asked for it, empty for those of none; null: none have.
  intent_id   text,
  PRIMARY KEY (kind, key)
);
-- One for each way in which a job is found: none is found by passing over others.
CREATE INDEX jobs_ready ON jobs (kind, account_id, due_at, ordinal) WHERE state = 'ready';
CREATE INDEX jobs_waiting ON jobs (kind, due_at) WHERE state = 'waiting' AND held_until IS NULL;
CREATE INDEX jobs_held ON jobs (held_until) WHERE state = 'waiting' AND held_until IS NOT NULL;
CREATE INDEX jobs_running ON jobs (held_until) WHERE state = 'running';
CREATE INDEX jobs_of_subject ON jobs (subject_id, ordinal)
 WHERE subject_id IS NOT NULL AND state <> 'done';
CREATE INDEX jobs_stuck ON jobs (updated_at, ordinal) WHERE state = 'stuck';
CREATE INDEX jobs_done_by_age ON jobs (updated_at) WHERE state = 'done';
CREATE INDEX jobs_by_key ON jobs (key);
CREATE INDEX jobs_since_restore ON jobs (account_id) WHERE kind = 'restore.payment';

-- Payments to be read since a restore: while an account has one, none of its calls is made.
CREATE VIEW restore_reads AS
SELECT key AS payment_id, account_id FROM jobs WHERE kind = 'restore.payment';

-- Whose key a read of a payment is made with follows from the payment's first event.
CREATE FUNCTION account_of_read() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account_id := coalesce((SELECT e.data ->> 'accountId' FROM events e
                               WHERE e.stream_type = 'payment' AND e.stream_id = NEW.key
                                 AND e.version = 1), '');
  RETURN NEW;
END $$;
CREATE TRIGGER account_of_read BEFORE INSERT ON jobs
   FOR EACH ROW WHEN (NEW.kind = 'payment.read') EXECUTE FUNCTION account_of_read();
`;
