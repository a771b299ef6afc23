import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The provider sandbox from empty. Times are the sandbox clock's unless a name says `wall`; amounts
 * are minor units; `seq` orders rows made at the same instant. A payment's `due_at` is when the
 * clock moves it next, whatever the move is: its status says which one.
 */
export class Sandbox1763700000000 implements MigrationInterface {
  readonly name = 'Sandbox1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CLOCK, CUSTOMERS, CARDS, INTENTS, PAYMENTS, EVENTS, WEBHOOKS]) {
      await runner.query(sql);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE delivery_attempts, deliveries, events, webhook_endpoints, payments,
        payment_intents, cards, customers, clock_followers, sandbox_clock, sandbox_settings
    `);
  }
}

const CLOCK = `
CREATE TABLE sandbox_settings (name text PRIMARY KEY, value text NOT NULL);

-- One row: at wall_at the sandbox's clock showed sandbox_at; since then it runs at this rate.
CREATE TABLE sandbox_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sandbox_at timestamptz NOT NULL,
  wall_at timestamptz NOT NULL,
  rate double precision NOT NULL CHECK (rate > 0)
);

CREATE TABLE clock_followers (
  url text PRIMARY KEY,
  registered_wall_at timestamptz NOT NULL DEFAULT now()
);
`;

const CUSTOMERS = `
CREATE TABLE customers (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  email text, mobile text, name text, date_birth date, legal_id text, country text,
  external_id text, billing_address text, shipping_address text,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX customers_newest ON customers (live, created_at DESC, seq DESC);
`;

const CARDS = `
-- Never the number or the security code. The fingerprint is an HMAC of number and expiry.
CREATE TABLE cards (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  fingerprint text NOT NULL,
  scenario text,
  brand text NOT NULL, last4 text NOT NULL,
  exp_month integer NOT NULL, exp_year integer NOT NULL,
  country text, funding text, network text, nature text, name text, zip_code text,
  customer_id text REFERENCES customers,
  external_id text,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT cards_same_card UNIQUE (live, fingerprint)
);
`;

const INTENTS = `
CREATE TABLE payment_intents (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'require_payment_method', 'require_authentication', 'require_authorization', 'authorized',
    'to_capture', 'capture_sent', 'captured', 'processing', 'canceled', 'unpaid')),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 4294967295),
  currency text NOT NULL,
  capture boolean NOT NULL,
  methods_allowed text[] NOT NULL,
  threeds text CHECK (threeds IN ('required', 'none')),
  description text,
  customer_id text REFERENCES customers,
  card_id text REFERENCES cards,
  sepa_id text,
  order_id text, unique_id text, return_url text,
  date_settlement date,
  metadata jsonb,
  billing_address text, shipping_address text,
  payment_id text,
  created_at timestamptz NOT NULL,
  CONSTRAINT payment_intents_unique_id UNIQUE (live, unique_id)
) WITH (fillfactor = 80);
CREATE INDEX payment_intents_newest ON payment_intents (live, created_at DESC, seq DESC);
CREATE INDEX payment_intents_order_id ON payment_intents (order_id) WHERE order_id IS NOT NULL;
`;

const PAYMENTS = `
CREATE TABLE payments (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  intent_id text REFERENCES payment_intents,
  status text NOT NULL CHECK (status IN (
    'awaiting_bank', 'authorized', 'to_capture', 'capture_sent', 'captured', 'disputed',
    'expired', 'failed', 'refused', 'canceled')),
  amount bigint NOT NULL,
  currency text NOT NULL,
  capture boolean NOT NULL,
  response text,
  method text NOT NULL CHECK (method IN ('card', 'sepa')),
  card_id text REFERENCES cards,
  customer_id text REFERENCES customers,
  order_id text, unique_id text, description text,
  auth_status text CHECK (auth_status IN (
    'available', 'requested', 'attempted', 'success', 'declined', 'expired', 'failed',
    'unavailable')),
  auth_session_id text UNIQUE,
  auth_return_url text,
  auth_expires_at timestamptz,
  date_settlement date, date_bank date,
  created_at timestamptz NOT NULL,
  authorized_at timestamptz,
  confirm_until timestamptz,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX payments_newest ON payments (live, created_at DESC, seq DESC);
CREATE INDEX payments_of_intent ON payments (intent_id, created_at DESC, seq DESC);
CREATE INDEX payments_order_id ON payments (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payments_unique_id ON payments (unique_id) WHERE unique_id IS NOT NULL;
CREATE INDEX payments_due ON payments (due_at, id) WHERE due_at IS NOT NULL;
`;

const EVENTS = `
-- The body is the very text that each attempt sends.
CREATE TABLE events (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX events_newest ON events (live, created_at DESC, seq DESC);
CREATE INDEX events_of_object ON events (object_id, seq);
`;

const WEBHOOKS = `
CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  url text NOT NULL,
  enabled boolean NOT NULL,
  secret text NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);

-- waiting: due_at says when the next attempt leaves. sending: an attempt is on its way; when its
-- process dies, the lease (wall time) ends and the attempt counts as failed.
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL REFERENCES events,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'sending', 'delivered', 'given_up', 'dropped')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 15),
  due_at timestamptz,
  leased_until_wall timestamptz
) WITH (fillfactor = 80);
CREATE INDEX deliveries_due ON deliveries (due_at, id) WHERE status = 'waiting';
CREATE INDEX deliveries_leased ON deliveries (leased_until_wall) WHERE status = 'sending';
CREATE INDEX deliveries_of_event ON deliveries (event_id);
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, id);

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
