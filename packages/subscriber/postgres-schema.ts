/** The tables of all subscribers in a database; `PostgresStore.prepare` creates them. */
export const POSTGRES_SCHEMA = `
CREATE TABLE IF NOT EXISTS subscriber_streams (
  subscriber  text    NOT NULL,
  stream_type text    NOT NULL,
  stream_id   text    NOT NULL,
  -- The last version whose effect is committed.
  version     integer NOT NULL DEFAULT 0,
  -- Null while the stream flows.
  block       json,
  PRIMARY KEY (subscriber, stream_type, stream_id)
);
-- The id of the last event, and its version: an earlier release moves only the version.
ALTER TABLE subscriber_streams
  ADD COLUMN IF NOT EXISTS event_id         text,
  ADD COLUMN IF NOT EXISTS event_id_version integer;
CREATE INDEX IF NOT EXISTS subscriber_streams_blocked ON subscriber_streams (subscriber)
  WHERE block IS NOT NULL;

-- Events of blocked streams. As json, not jsonb: what is in a message need not be valid in jsonb.
CREATE TABLE IF NOT EXISTS subscriber_kept_events (
  subscriber  text        NOT NULL,
  stream_type text        NOT NULL,
  stream_id   text        NOT NULL,
  version     integer     NOT NULL,
  event       json        NOT NULL,
  kept_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subscriber, stream_type, stream_id, version)
);

CREATE TABLE IF NOT EXISTS subscriber_discards (
  subscriber   text        NOT NULL,
  stream_type  text        NOT NULL,
  stream_id    text        NOT NULL,
  version      integer     NOT NULL,
  event        json,
  error        text        NOT NULL,
  reason       text        NOT NULL,
  discarded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- After a restore of the orchestrator's log, a version may be discarded again.
ALTER TABLE subscriber_discards DROP CONSTRAINT IF EXISTS subscriber_discards_pkey;
`;
