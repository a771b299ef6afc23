import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- The endpoints to which events are sent: derived from their events, in the transaction of each
-- event, except failing_since and failures: the first failed attempt since the last success, and
-- their number. epoch and transaction_id:
-- events before this position of the log are not sent. former_ref: of the secret before the last
-- rotation. merchant_id: null for the events of all merchants.
CREATE TABLE webhook_endpoints (
  id               text        PRIMARY KEY,
  platform_id      text        NOT NULL,
  merchant_id      text,
  host             text        NOT NULL,
  event_types      text[]      NOT NULL,
  status           text        NOT NULL CHECK (status IN ('enabled', 'disabled', 'deleted')),
  disabled_reason  text,
  disabled_at      timestamptz,
  details_ref      text        NOT NULL,
  former_ref       text,
  former_until     timestamptz,
  failing_since    timestamptz,
  failures         integer     NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL,
  epoch            integer     NOT NULL,
  transaction_id   xid8        NOT NULL
);
CREATE INDEX webhook_endpoints_of_platform ON webhook_endpoints (platform_id, created_at, id);

-- The URL and the secret of an endpoint, encrypted. Rows are never changed.
CREATE TABLE webhook_details (
  ref          text        PRIMARY KEY,
  endpoint_id  text        NOT NULL,
  sealed       text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX webhook_details_of_endpoint ON webhook_details (endpoint_id);
CREATE INDEX webhook_details_by_age ON webhook_details (created_at);

-- One row for each event and each endpoint to which it is sent. The open deliveries of one stream to
-- one endpoint are sent by one job, oldest version first. tries: since the delivery was last
-- requested. attempts: the last ones, oldest first. failed: no attempt is left, and later events of
-- the same stream wait. skipped: not sent, because the platform discarded the delivery or deleted the
-- endpoint. While an endpoint is disabled, its deliveries stay pending.
CREATE TABLE webhook_deliveries (
  id           text        PRIMARY KEY,
  endpoint_id  text        NOT NULL,
  platform_id  text        NOT NULL,
  event_id     uuid        NOT NULL,
  event_type   text        NOT NULL,
  stream_type  text        NOT NULL,
  stream_id    text        NOT NULL,
  version      integer     NOT NULL,
  state        text        NOT NULL DEFAULT 'pending'
               CHECK (state IN ('pending', 'delivered', 'failed', 'skipped')),
  tries        integer     NOT NULL DEFAULT 0,
  attempts     jsonb       NOT NULL DEFAULT '[]',
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at     timestamptz,
  UNIQUE (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, stream_id, version)
 WHERE state IN ('pending', 'failed');
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (platform_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_state
    ON webhook_deliveries (platform_id, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_of_endpoint
    ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_of_stream
    ON webhook_deliveries (platform_id, stream_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
-- For the number of failed deliveries, which are few beside those that wait.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id) WHERE state = 'failed';
`;

const RECORD_EVENT = `
CREATE FUNCTION record_webhook_endpoint_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  event_at timestamptz := NEW.data ->> 'at';
  new_ref text := NEW.data ->> 'detailsRef';
  was webhook_endpoints;
BEGIN
  IF NEW.type = 'WebhookEndpointCreated' THEN
    INSERT INTO webhook_endpoints (id, platform_id, host, event_types, status, details_ref,
                                   created_at, epoch, transaction_id)
    SELECT NEW.stream_id, NEW.data ->> 'platformId', '', '{}', 'enabled', new_ref, event_at, NEW.epoch,
           pg_snapshot_xmin(pg_current_snapshot());
  END IF;
  SELECT * INTO STRICT was FROM webhook_endpoints WHERE id = NEW.stream_id;
  IF NEW.type IN ('WebhookEndpointCreated', 'WebhookEndpointChanged') THEN
    UPDATE webhook_endpoints
       SET host = NEW.data ->> 'host', merchant_id = NEW.data ->> 'merchantId', details_ref = new_ref,
           event_types = ARRAY(SELECT json_array_elements_text(NEW.data -> 'eventTypes')),
           failing_since = NULL, failures = 0
     WHERE id = NEW.stream_id;
    DELETE FROM webhook_details d WHERE d.ref = was.details_ref AND was.details_ref <> new_ref;
  ELSIF NEW.type = 'WebhookSecretRotated' THEN
    UPDATE webhook_endpoints
       SET details_ref = new_ref, former_ref = was.details_ref,
           former_until = (NEW.data ->> 'formerUntil')::timestamptz
     WHERE id = NEW.stream_id;
    DELETE FROM webhook_details d WHERE d.ref = was.former_ref;
  ELSIF NEW.type = 'WebhookEndpointDisabled' THEN
    UPDATE webhook_endpoints
       SET status = 'disabled', disabled_reason = NEW.data ->> 'reason', disabled_at = event_at
     WHERE id = NEW.stream_id;
  ELSIF NEW.type = 'WebhookEndpointEnabled' THEN
    -- This job requests the waiting deliveries, which may be many.
    INSERT INTO jobs (kind, key, account_id, state, due_at)
    VALUES ('webhook.resume', NEW.stream_id || ' ' || NEW.version, NEW.stream_id, 'ready',
            clock_timestamp());
    UPDATE webhook_endpoints
       SET status = 'enabled', disabled_reason = NULL, disabled_at = NULL, failing_since = NULL,
           failures = 0
     WHERE id = NEW.stream_id;
  ELSIF NEW.type = 'WebhookEndpointDeleted' THEN
    -- This job skips the open deliveries, which may be many.
    INSERT INTO jobs (kind, key, account_id, state, due_at)
    VALUES ('webhook.skip', NEW.stream_id, NEW.stream_id, 'ready', clock_timestamp());
    UPDATE webhook_endpoints SET status = 'deleted' WHERE id = NEW.stream_id;
    DELETE FROM webhook_details d WHERE d.endpoint_id = NEW.stream_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER events_of_webhook_endpoints AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.stream_type = 'webhook_endpoint') EXECUTE FUNCTION record_webhook_endpoint_event();
`;

const REPAIRS = `
-- Makes the job due that sends the open deliveries of a stream to an endpoint: now, if it waits for
-- a later time.
CREATE FUNCTION request_webhooks(of_endpoint text, of_stream text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO jobs AS j (kind, key, account_id, state, due_at)
  SELECT 'webhook.deliver', e.id || ' ' || of_stream, e.id, 'ready', clock_timestamp()
    FROM webhook_endpoints e WHERE e.id = of_endpoint
      ON CONFLICT (kind, key) DO UPDATE
     SET again = j.state = 'running', due_at = least(j.due_at, excluded.due_at),
         state = CASE j.state WHEN 'running' THEN 'running' ELSE 'ready' END
$$;

-- Requests the deliveries of an endpoint that were created within a period and are in one of the
-- states, oldest first, at most that many. Returns their number and the time of the last.
CREATE FUNCTION redeliver_webhooks(
  of_platform text, of_endpoint text, since timestamptz, until timestamptz, in_states text[],
  most integer
) RETURNS TABLE (requested integer, last timestamptz) LANGUAGE sql VOLATILE AS $$
  WITH chosen AS (
    SELECT d.id, d.created_at FROM webhook_deliveries d
     WHERE d.platform_id = of_platform AND d.endpoint_id = of_endpoint
       AND d.created_at >= since AND d.created_at < until AND d.state = ANY (in_states)
     ORDER BY d.created_at, d.id LIMIT most
       FOR UPDATE),
  wanted AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, ended_at = NULL
      FROM chosen c WHERE d.id = c.id
    RETURNING d.endpoint_id, d.stream_id),
  due AS MATERIALIZED (
    SELECT request_webhooks(s.endpoint_id, s.stream_id)
      FROM (SELECT DISTINCT endpoint_id, stream_id FROM wanted ORDER BY 1, 2) s)
  SELECT (SELECT count(*)::integer FROM chosen), (SELECT max(created_at) FROM chosen)
   WHERE (SELECT count(*) FROM due) >= 0
$$;

-- Requests one delivery, whatever its state.
CREATE FUNCTION redeliver_webhook(of_platform text, delivery text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  WITH wanted AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, ended_at = NULL
     WHERE d.id = delivery AND d.platform_id = of_platform
    RETURNING d.endpoint_id, d.stream_id)
  SELECT request_webhooks(w.endpoint_id, w.stream_id) FROM wanted w
$$;

-- Discards a delivery that has not succeeded, so that the later events of its stream are sent.
-- Returns its state: 'skipped', or 'delivered' if it has succeeded.
CREATE FUNCTION discard_webhook(of_platform text, delivery text) RETURNS text
LANGUAGE sql VOLATILE AS $$
  WITH wanted AS (
    UPDATE webhook_deliveries d
       SET state = CASE d.state WHEN 'delivered' THEN d.state ELSE 'skipped' END,
           ended_at = coalesce(d.ended_at, clock_timestamp())
     WHERE d.id = delivery AND d.platform_id = of_platform
    RETURNING d.endpoint_id, d.stream_id, d.state),
  due AS MATERIALIZED (
    SELECT request_webhooks(w.endpoint_id, w.stream_id) FROM wanted w WHERE w.state = 'skipped')
  SELECT w.state FROM wanted w WHERE (SELECT count(*) FROM due) >= 0
$$;
`;

/**
 * The webhooks that are sent to platforms: endpoints, deliveries, and the functions that redeliver
 * and discard deliveries.
 */
export class WebhookEndpoints1760000000740 implements MigrationInterface {
  readonly name = 'WebhookEndpoints1760000000740';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(RECORD_EVENT);
    await runner.query(REPAIRS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION discard_webhook, redeliver_webhook, redeliver_webhooks, request_webhooks;
      DROP TRIGGER events_of_webhook_endpoints ON events;
      DROP FUNCTION record_webhook_endpoint_event;
      DROP TABLE webhook_deliveries, webhook_details, webhook_endpoints`);
  }
}
