import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- The endpoints to which events are sent: derived from their events, in the transaction of each
-- event, except failing_since, which is null after a successful delivery. epoch and transaction_id:
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

-- One row for each event and each endpoint to which it is sent. tries: since the delivery was last
-- requested. attempts: the last ones, oldest first. failed: no attempt is left, and later events of
-- the same stream wait. skipped: not sent, because the endpoint was disabled or the platform
-- discarded the delivery.
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
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (platform_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (created_at) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
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
           event_types = ARRAY(SELECT json_array_elements_text(NEW.data -> 'eventTypes'))
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
    UPDATE webhook_endpoints
       SET status = 'enabled', disabled_reason = NULL, disabled_at = NULL, failing_since = NULL
     WHERE id = NEW.stream_id;
  ELSIF NEW.type = 'WebhookEndpointDeleted' THEN
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
-- Requests the deliveries of an endpoint that were created within a period and are in one of the
-- states, oldest first, at most that many; delivery: only this one. Returns their number. A failed
-- delivery keeps its place before the later events of its stream.
CREATE FUNCTION redeliver_webhooks(
  of_platform text, of_endpoint text, delivery text, since timestamptz, until timestamptz,
  in_states text[], most integer
) RETURNS integer LANGUAGE sql VOLATILE AS $$
  WITH chosen AS (
    SELECT d.id, d.endpoint_id, d.stream_id, d.created_at, d.version FROM webhook_deliveries d
     WHERE d.platform_id = of_platform AND d.endpoint_id = of_endpoint
       AND (delivery IS NULL OR d.id = delivery)
       AND d.created_at >= since AND d.created_at < until AND d.state = ANY (in_states)
     ORDER BY d.created_at, d.version LIMIT most
       FOR UPDATE),
  requested AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, ended_at = NULL
      FROM chosen c WHERE d.id = c.id),
  due AS (
    INSERT INTO jobs AS j (kind, key, account_id, subject_id, state, due_at)
    SELECT 'webhook.deliver', c.id, c.endpoint_id, c.endpoint_id || ' ' || c.stream_id, 'ready',
           'epoch'
      FROM chosen c ORDER BY c.created_at, c.version
        ON CONFLICT (kind, key) DO UPDATE
       SET again = j.state = 'running', due_at = 'epoch',
           state = CASE j.state WHEN 'running' THEN 'running' ELSE 'ready' END)
  SELECT count(*)::integer FROM chosen
$$;

-- Discards a failed delivery, so that the later events of its stream are sent. Returns whether it
-- was failed.
CREATE FUNCTION discard_webhook(of_platform text, delivery text) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
  WITH discarded AS (
    UPDATE webhook_deliveries d SET state = 'skipped', ended_at = clock_timestamp()
     WHERE d.platform_id = of_platform AND d.id = delivery AND d.state = 'failed'
    RETURNING d.id),
  ended AS (
    DELETE FROM jobs j USING discarded d WHERE j.kind = 'webhook.deliver' AND j.key = d.id)
  SELECT EXISTS (SELECT FROM discarded)
$$;
`;

/** Webhooks that are sent to platforms: endpoints, deliveries, and their repairs. */
export class WebhookEndpoints1760000000740 implements MigrationInterface {
  readonly name = 'WebhookEndpoints1760000000740';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(RECORD_EVENT);
    await runner.query(REPAIRS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION discard_webhook, redeliver_webhooks;
      DROP TRIGGER events_of_webhook_endpoints ON events;
      DROP FUNCTION record_webhook_endpoint_event;
      DROP TABLE webhook_deliveries, webhook_details, webhook_endpoints`);
  }
}
