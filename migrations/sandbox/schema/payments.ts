/**
 * Payments and their related rows. `due_at` is the time at which a row changes next without a
 * request, such as an expiry; the row's status determines the change. The index of a list has the
 * list's sort order, and omits rows that the list never contains.
 */
export const PAYMENTS = `
-- A single call's intent only holds the lock and the state of its payment: no list shows it.
CREATE TABLE payment_intents (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
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
  sepa_id text REFERENCES sepa,
  order_id text, unique_id text, return_url text,
  date_settlement date,
  metadata jsonb,
  billing_address text REFERENCES addresses, shipping_address text REFERENCES addresses,
  payment_id text,
  single_call boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT payment_intents_unique_id UNIQUE (account_id, live, unique_id)
) WITH (fillfactor = 80);
CREATE INDEX payment_intents_newest
  ON payment_intents (account_id, live, created_at DESC, seq DESC) WHERE NOT single_call;
CREATE INDEX payment_intents_order_id ON payment_intents (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payment_intents_card ON payment_intents (card_id, created_at DESC, seq DESC)
  WHERE card_id IS NOT NULL AND NOT single_call;
CREATE INDEX payment_intents_sepa ON payment_intents (sepa_id, created_at DESC, seq DESC)
  WHERE sepa_id IS NOT NULL AND NOT single_call;

-- The tokens are the secrets in the addresses that sign a mandate and download its document.
CREATE TABLE mandates (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('unsigned', 'signed', 'deleted')),
  origin text NOT NULL CHECK (origin IN ('page', 'import')),
  sepa_id text NOT NULL REFERENCES sepa,
  customer_id text REFERENCES customers,
  intent_id text REFERENCES payment_intents,
  rum text,
  sign_token text NOT NULL UNIQUE,
  upload_token text NOT NULL UNIQUE,
  signed_at timestamptz,
  phone_last4 text,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT mandates_rum UNIQUE (account_id, live, rum),
  CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
  CHECK (status <> 'signed' OR (signed_at IS NOT NULL AND rum IS NOT NULL)),
  CHECK (status <> 'unsigned' OR signed_at IS NULL)
);
CREATE INDEX mandates_newest ON mandates (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX mandates_of_sepa ON mandates (sepa_id, created_at DESC, seq DESC);
CREATE INDEX mandates_of_intent ON mandates (intent_id, created_at DESC, seq DESC)
  WHERE intent_id IS NOT NULL;

-- Files uploaded by a merchant. A mandate signed on the page has none: its document is generated
-- from the signed form on each request.
CREATE TABLE mandate_documents (
  mandate_id text PRIMARY KEY REFERENCES mandates,
  media_type text NOT NULL,
  document bytea NOT NULL,
  uploaded_at timestamptz NOT NULL
);

-- Text messages to payers, shown only in the sandbox's inbox. The body is erased when its code
-- ends.
CREATE TABLE messages (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  recipient text NOT NULL,
  body text,
  intent_id text REFERENCES payment_intents,
  created_at timestamptz NOT NULL
);
CREATE INDEX messages_newest ON messages (account_id, live, created_at DESC, seq DESC);
CREATE INDEX messages_of_intent ON messages (intent_id, created_at DESC, seq DESC)
  WHERE intent_id IS NOT NULL;
CREATE INDEX messages_latest ON messages (created_at DESC, seq DESC);

-- Codes that sign a mandate: a keyed hash while the code is open.
CREATE TABLE signing_codes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  mandate_id text NOT NULL REFERENCES mandates,
  message_id text NOT NULL REFERENCES messages,
  code_hash text CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  status text NOT NULL CHECK (status IN (
    'open', 'used', 'spent', 'replaced', 'withdrawn', 'expired')),
  tries integer NOT NULL CHECK (tries BETWEEN 0 AND 5),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  CHECK ((status = 'open') = (due_at IS NOT NULL)),
  CONSTRAINT signing_codes_hash_while_open CHECK ((status = 'open') = (code_hash IS NOT NULL))
);
CREATE INDEX signing_codes_of_mandate ON signing_codes (mandate_id, seq DESC);
CREATE INDEX signing_codes_due ON signing_codes (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE payouts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'to_pay', 'sent', 'paid', 'failed')),
  reference text NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fees bigint NOT NULL CHECK (fees >= 0),
  fees_vat bigint NOT NULL CHECK (fees_vat >= 0),
  totals jsonb NOT NULL,
  date date NOT NULL,
  date_bank date,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  CONSTRAINT payouts_one_a_day UNIQUE (account_id, live, currency, date),
  CONSTRAINT payouts_reference UNIQUE (account_id, reference)
);
CREATE INDEX payouts_newest ON payouts (account_id, live, created_at DESC, seq DESC);
CREATE INDEX payouts_due ON payouts (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE payments (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  intent_id text NOT NULL REFERENCES payment_intents,
  status text NOT NULL CHECK (status IN (
    'awaiting_bank', 'authorized', 'to_capture', 'capture_sent', 'captured', 'disputed',
    'expired', 'failed', 'refused', 'canceled')),
  amount bigint NOT NULL,
  currency text NOT NULL,
  capture boolean NOT NULL,
  response text,
  method text NOT NULL CHECK (method IN ('card', 'sepa')),
  card_id text REFERENCES cards,
  sepa_id text REFERENCES sepa,
  mandate_id text REFERENCES mandates,
  customer_id text REFERENCES customers,
  order_id text, unique_id text, description text,
  single_call boolean NOT NULL DEFAULT false,
  auth_status text CHECK (auth_status IN (
    'available', 'requested', 'attempted', 'success', 'declined', 'expired', 'failed',
    'unavailable')),
  auth_session_id text UNIQUE,
  auth_return_url text,
  auth_expires_at timestamptz,
  fee bigint CHECK (fee >= 0),
  payout_id text REFERENCES payouts,
  date_settlement date, date_bank date,
  created_at timestamptz NOT NULL,
  authorized_at timestamptz,
  captured_at timestamptz,
  confirm_until timestamptz,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX payments_newest ON payments (account_id, live, created_at DESC, seq DESC);
CREATE INDEX payments_of_status
  ON payments (account_id, live, status, created_at DESC, seq DESC);
CREATE INDEX payments_of_method
  ON payments (account_id, live, method, created_at DESC, seq DESC);
CREATE INDEX payments_of_intent ON payments (intent_id, created_at DESC, seq DESC);
CREATE INDEX payments_of_card ON payments (card_id, created_at DESC, seq DESC)
  WHERE card_id IS NOT NULL;
CREATE INDEX payments_of_sepa ON payments (sepa_id, created_at DESC, seq DESC)
  WHERE sepa_id IS NOT NULL;
CREATE INDEX payments_of_mandate ON payments (mandate_id) WHERE mandate_id IS NOT NULL;
CREATE INDEX payments_of_customer ON payments (customer_id, created_at DESC, seq DESC)
  WHERE customer_id IS NOT NULL;
CREATE INDEX payments_of_payout ON payments (payout_id, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;
CREATE INDEX payments_order_id ON payments (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payments_unique_id ON payments (unique_id) WHERE unique_id IS NOT NULL;
CREATE INDEX payments_due ON payments (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE refunds (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'to_refund', 'refund_sent', 'refunded', 'not_honored', 'failed')),
  payment_id text NOT NULL REFERENCES payments,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  payout_id text REFERENCES payouts,
  created_at timestamptz NOT NULL,
  due_at timestamptz
);
CREATE INDEX refunds_newest ON refunds (account_id, live, created_at DESC, seq DESC);
CREATE INDEX refunds_of_payment ON refunds (payment_id, created_at DESC, seq DESC);
CREATE INDEX refunds_of_payout ON refunds (payout_id, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;
CREATE INDEX refunds_due ON refunds (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE disputes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'open', 'evidence_pending', 'evidence_sent', 'evidence_verification', 'accepted', 'won',
    'lost', 'out_of_time', 'not_contestable')),
  type text NOT NULL CHECK (type IN ('chargeback', 'sepa_return')),
  payment_id text NOT NULL REFERENCES payments,
  intent_id text REFERENCES payment_intents,
  order_id text,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  fee bigint NOT NULL CHECK (fee >= 0),
  response text NOT NULL,
  payout_id text REFERENCES payouts,
  created_at timestamptz NOT NULL,
  due_at timestamptz
);
CREATE INDEX disputes_newest ON disputes (account_id, live, created_at DESC, seq DESC);
CREATE INDEX disputes_of_payment ON disputes (payment_id, created_at DESC, seq DESC);
CREATE INDEX disputes_of_intent ON disputes (intent_id, created_at DESC, seq DESC)
  WHERE intent_id IS NOT NULL;
CREATE INDEX disputes_of_payout ON disputes (payout_id, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;
CREATE INDEX disputes_due ON disputes (due_at, id) WHERE due_at IS NOT NULL;

-- A file's name, type, size and hash; its content is not stored.
CREATE TABLE dispute_evidence (
  id text PRIMARY KEY,
  dispute_id text NOT NULL REFERENCES disputes,
  text text,
  files jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX dispute_evidence_of_dispute ON dispute_evidence (dispute_id, created_at);
`;
