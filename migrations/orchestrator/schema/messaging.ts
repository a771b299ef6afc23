/** The consumers of the log and their positions: the relay, the projections, and others. */
export const MESSAGING = `
-- Database time. The token rises with each new holder: an old holder's writes have a lower one and
-- are refused.
CREATE TABLE leases (
  name        text        PRIMARY KEY,
  holder      text        NOT NULL,
  token       bigint      NOT NULL,
  expires_at  timestamptz NOT NULL
);

-- How far each reader of the log has come. topic_ids: by a topic's name its id at the brokers, of
-- those that the relay has published to: one of the same name that is made later is another.
CREATE TABLE log_cursors (
  name            text        PRIMARY KEY,
  epoch           integer     NOT NULL,
  transaction_id  xid8        NOT NULL,
  position        bigint      NOT NULL,
  token           bigint      NOT NULL DEFAULT 0,
  moved_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  topic_ids       jsonb       NOT NULL DEFAULT '{}'
);

-- Streams that a reader holds back, at an event that only a newer release can read. reader: the
-- name of its cursor, which goes on with all other streams. version: the first event of the stream
-- that the reader has not taken.
CREATE TABLE blocked_streams (
  reader          text        NOT NULL,
  stream_type     text        NOT NULL,
  stream_id       text        NOT NULL,
  version         integer     NOT NULL,
  type            text        NOT NULL,
  schema_version  smallint    NOT NULL,
  blocked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (reader, stream_type, stream_id)
);
`;
