/** The event log, and the tables that are written in the transaction of the events. */
export const LOG = `
CREATE TABLE events (
  position        bigint      GENERATED ALWAYS AS IDENTITY,
  epoch           integer     NOT NULL DEFAULT 1,
  transaction_id  xid8        NOT NULL DEFAULT pg_current_xact_id(),
  stream_type     text        NOT NULL,
  stream_id       text        NOT NULL,
  version         integer     NOT NULL CHECK (version > 0),
  event_id        uuid        NOT NULL,
  type            text        NOT NULL,
  schema_version  smallint    NOT NULL,
  -- json, not jsonb: written and read as a whole, no conversion either way.
  data            json        NOT NULL,
  metadata        json        NOT NULL,
  recorded_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (stream_type, stream_id, version)
);
CREATE UNIQUE INDEX events_in_reading_order ON events (epoch, transaction_id, position);

-- waiting: what the instance could not react to, oldest first. retry_at: when that is tried again;
-- 'infinity' while it is blocked until a person acts. Wall time.
CREATE TABLE sagas (
  saga           text        NOT NULL,
  key            text        NOT NULL,
  version        integer     NOT NULL,
  state          jsonb       NOT NULL,
  done           boolean     NOT NULL,
  updated_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  waiting        jsonb,
  retry_at       timestamptz,
  failing_since  timestamptz,
  PRIMARY KEY (saga, key)
);
CREATE INDEX sagas_open ON sagas (saga, updated_at) WHERE NOT done;
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
CREATE INDEX discarded_reactions_by_time ON discarded_reactions (discarded_at DESC, id DESC);

-- What is one holder's alone: an intent of the provider is one payment's, for one.
CREATE TABLE reservations (
  scope   text NOT NULL,
  key     text NOT NULL,
  holder  text NOT NULL,
  PRIMARY KEY (scope, key)
);

-- Stored responses of POST requests, by Idempotency-Key.
CREATE TABLE idempotency_keys (
  platform_id  text        NOT NULL,
  key          text        NOT NULL,
  fingerprint  text        NOT NULL,
  status       smallint    NOT NULL,
  body         jsonb       NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (platform_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
`;
