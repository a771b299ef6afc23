/**
 * Webhooks of the provider. Each webhook is stored before it is acknowledged, and causes a read of
 * the object that it names.
 */
export const WEBHOOKS = `
-- Of a body, which names the payer, what is used is kept, and a digest of the whole.
CREATE TABLE webhooks_received (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   text        NOT NULL,
  event_id     text        NOT NULL,
  type         text        NOT NULL,
  received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries        integer     NOT NULL DEFAULT 0,
  handled_at   timestamptz,
  note         text        NOT NULL DEFAULT '',
  -- What it is about, as its body says.
  intent_id    text,
  order_id     text,
  status       text,
  body_bytes   integer     NOT NULL,
  body_sha256  bytea       NOT NULL,
  UNIQUE (account_id, event_id)
);
CREATE INDEX webhooks_open ON webhooks_received (account_id, (coalesce(intent_id, '')), id)
 WHERE handled_at IS NULL;
CREATE INDEX webhooks_handled_by_age ON webhooks_received (handled_at) WHERE handled_at IS NOT NULL;
CREATE INDEX webhooks_received_of_intent ON webhooks_received (intent_id, id);
CREATE INDEX webhooks_received_newest ON webhooks_received (received_at DESC, id DESC);
CREATE INDEX webhooks_received_by_event ON webhooks_received (event_id, received_at DESC, id DESC);

-- Those that were not accepted, and why: bounded by count and age, their bodies are not kept.
CREATE TABLE webhooks_refused (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  account_id   text,
  reason       text        NOT NULL,
  body_bytes   integer     NOT NULL,
  body_sha256  bytea       NOT NULL
);
CREATE INDEX webhooks_refused_newest ON webhooks_refused (received_at DESC, id DESC);

-- A webhook asks for a read of its intent; webhooks of one intent that wait are served by one read,
-- and one that arrives while it is made has it made once more. Those of no intent are one job of
-- their account's. What stores a webhook, or has it handled again, asks by that.
CREATE FUNCTION request_intent_read() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO jobs AS j (kind, key, account_id, state, due_at, intent_id)
  VALUES ('intent.read', NEW.account_id || ' ' || coalesce(NEW.intent_id, ''), NEW.account_id,
          'ready', NEW.received_at, coalesce(NEW.intent_id, ''))
      ON CONFLICT (kind, key) DO UPDATE
     SET again = j.state = 'running',
         -- One that a person has handled again does not wait for the next try.
         state = CASE WHEN TG_OP = 'UPDATE' AND j.state = 'waiting' THEN 'ready'
                      ELSE j.state END,
         -- A new one may show that the provider is back: it does not wait for long, either.
         held_until = CASE WHEN j.state <> 'waiting' THEN j.held_until
                           WHEN TG_OP = 'UPDATE' THEN NULL
                           ELSE least(j.held_until, clock_timestamp() + interval '5 seconds')
                      END
   WHERE j.state IN ('running', 'waiting') OR TG_OP = 'UPDATE';
  RETURN NEW;
END $$;
CREATE TRIGGER request_intent_read AFTER INSERT OR UPDATE OF handled_at ON webhooks_received
   FOR EACH ROW WHEN (NEW.handled_at IS NULL) EXECUTE FUNCTION request_intent_read();
`;
