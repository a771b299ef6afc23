/** Events, webhook endpoints, deliveries and their attempts. */
export const WEBHOOKS = `
-- The body is the exact text that each attempt sends.
CREATE TABLE events (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX events_newest ON events (account_id, live, created_at DESC, seq DESC);
CREATE INDEX events_of_type ON events (account_id, live, type, created_at DESC, seq DESC);
CREATE INDEX events_of_object ON events (object_id, seq);

CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  url text NOT NULL,
  enabled boolean NOT NULL,
  secret text NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX webhook_endpoints_newest
  ON webhook_endpoints (account_id, live, created_at DESC, seq DESC) WHERE deleted_at IS NULL;

-- waiting: due_at is when the next attempt is sent. sending: an attempt is in progress; when its
-- process dies, the lease (wall time) ends and the attempt counts as failed. lost: dropped by a
-- fault; no attempt is made.
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL REFERENCES events,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'sending', 'delivered', 'given_up', 'dropped', 'lost')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 15),
  due_at timestamptz,
  leased_until_wall timestamptz,
  replayed_at timestamptz,
  fault text CHECK (fault IN ('lose', 'double', 'reorder', 'delay'))
) WITH (fillfactor = 80);
CREATE INDEX deliveries_leased ON deliveries (leased_until_wall) WHERE status = 'sending';
CREATE INDEX deliveries_of_event ON deliveries (event_id);
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, id);
-- The deliveries of an endpoint that are waiting or in progress are counted at each claim.
CREATE INDEX deliveries_waiting_of_endpoint ON deliveries (endpoint_id, due_at, id)
  WHERE status = 'waiting';
CREATE INDEX deliveries_sending_of_endpoint ON deliveries (endpoint_id)
  WHERE status = 'sending';

-- outcome: http (see http_status), error (see error), interrupted (the process died meanwhile).
CREATE TABLE delivery_attempts (
  delivery_id bigint NOT NULL REFERENCES deliveries,
  attempt integer NOT NULL,
  started_at timestamptz NOT NULL,
  started_wall_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  duration_ms integer,
  outcome text CHECK (outcome IN ('http', 'error', 'interrupted')),
  http_status integer,
  error text,
  PRIMARY KEY (delivery_id, attempt)
);
`;
