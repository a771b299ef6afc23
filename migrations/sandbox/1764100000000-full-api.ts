import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rest of the payment API: addresses, direct debits with their mandates, refunds, disputes,
 * payouts with their lines, and subscriptions. As before, times are the sandbox clock's,
 * amounts minor units, and `due_at` is when the clock moves a row next.
 */
export class FullApi1764100000000 implements MigrationInterface {
  readonly name = 'FullApi1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      ADDRESSES, SEPA, MANDATES, MESSAGES, PAYOUTS, PAYMENTS, REFUNDS, DISPUTES, LINES, CATALOG,
      LISTS,
    ]) {
      await runner.query(sql);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE subscriptions, prices, products, payout_lines, disputes, refunds;
      DROP INDEX cards_newest, webhook_endpoints_newest, payment_intents_card,
        payment_intents_sepa;
      ALTER TABLE payments
        DROP COLUMN single_call, DROP COLUMN sepa_id, DROP COLUMN mandate_id, DROP COLUMN fee,
        DROP COLUMN payout_id, DROP COLUMN captured_at, ALTER COLUMN intent_id DROP NOT NULL;
      ALTER TABLE payment_intents
        DROP COLUMN single_call, DROP CONSTRAINT payment_intents_sepa_id_fkey,
        DROP CONSTRAINT payment_intents_billing_address_fkey,
        DROP CONSTRAINT payment_intents_shipping_address_fkey;
      ALTER TABLE customers
        DROP CONSTRAINT customers_billing_address_fkey,
        DROP CONSTRAINT customers_shipping_address_fkey;
      DROP TABLE payouts, signing_codes, messages, mandate_documents, mandates, sepa, addresses;
    `);
  }
}

/** Customers could name any address so far, so theirs is checked from now on only. */
const ADDRESSES = `
CREATE TABLE addresses (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  zip_code text NOT NULL, city text NOT NULL, country text NOT NULL,
  line1 text, line2 text, line3 text, state text,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX addresses_newest ON addresses (live, created_at DESC, seq DESC);
ALTER TABLE customers
  ADD FOREIGN KEY (billing_address) REFERENCES addresses NOT VALID,
  ADD FOREIGN KEY (shipping_address) REFERENCES addresses NOT VALID;
ALTER TABLE payment_intents
  ADD FOREIGN KEY (billing_address) REFERENCES addresses,
  ADD FOREIGN KEY (shipping_address) REFERENCES addresses;
`;

const SEPA = `
-- Never the IBAN. The fingerprint is an HMAC of it.
CREATE TABLE sepa (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  fingerprint text NOT NULL,
  scenario text,
  last4 text NOT NULL, country text NOT NULL, name text NOT NULL,
  bic text,
  customer_id text REFERENCES customers,
  date_mandate date,
  mandate text,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX sepa_newest ON sepa (live, created_at DESC, seq DESC);
ALTER TABLE payment_intents ADD FOREIGN KEY (sepa_id) REFERENCES sepa;
`;

const MANDATES = `
-- The tokens are the secrets in the addresses that sign a mandate and take its document.
CREATE TABLE mandates (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
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
  CONSTRAINT mandates_rum UNIQUE (live, rum),
  CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
  CHECK (status <> 'signed' OR (signed_at IS NOT NULL AND rum IS NOT NULL)),
  CHECK (status <> 'unsigned' OR signed_at IS NULL)
);
CREATE INDEX mandates_newest ON mandates (live, created_at DESC, seq DESC);
CREATE INDEX mandates_of_sepa ON mandates (sepa_id, created_at DESC, seq DESC);
CREATE INDEX mandates_of_intent ON mandates (intent_id, created_at DESC, seq DESC)
  WHERE intent_id IS NOT NULL;

-- What a merchant uploaded. A mandate signed on the page has none: its document is made anew from
-- the mandate whenever it is asked for.
CREATE TABLE mandate_documents (
  mandate_id text PRIMARY KEY REFERENCES mandates,
  media_type text NOT NULL,
  document bytea NOT NULL,
  uploaded_at timestamptz NOT NULL
);
`;

const MESSAGES = `
-- Text messages to payers; nothing but the sandbox's inbox shows them.
CREATE TABLE messages (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  recipient text NOT NULL,
  body text NOT NULL,
  intent_id text REFERENCES payment_intents,
  created_at timestamptz NOT NULL
);
CREATE INDEX messages_newest ON messages (live, created_at DESC, seq DESC);

CREATE TABLE signing_codes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  mandate_id text NOT NULL REFERENCES mandates,
  message_id text NOT NULL REFERENCES messages,
  code text NOT NULL CHECK (code ~ '^[0-9]{4}$'),
  status text NOT NULL CHECK (status IN ('open', 'used', 'spent', 'replaced')),
  tries integer NOT NULL CHECK (tries BETWEEN 0 AND 5),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX signing_codes_of_mandate ON signing_codes (mandate_id, seq DESC);
`;

const PAYOUTS = `
CREATE TABLE payouts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'to_pay', 'sent', 'paid', 'failed')),
  reference text NOT NULL UNIQUE,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fees bigint NOT NULL CHECK (fees >= 0),
  fees_vat bigint NOT NULL CHECK (fees_vat >= 0),
  totals jsonb NOT NULL,
  date date NOT NULL,
  date_bank date,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  CONSTRAINT payouts_one_a_day UNIQUE (live, currency, date)
);
CREATE INDEX payouts_newest ON payouts (live, created_at DESC, seq DESC);
CREATE INDEX payouts_due ON payouts (due_at, id) WHERE due_at IS NOT NULL;
`;

/** A single call's intent only holds the lock and the state of its payment, and is not told. */
const PAYMENTS = `
ALTER TABLE payment_intents ADD COLUMN single_call boolean NOT NULL DEFAULT false;
ALTER TABLE payments
  ALTER COLUMN intent_id SET NOT NULL,
  ADD COLUMN single_call boolean NOT NULL DEFAULT false,
  ADD COLUMN sepa_id text REFERENCES sepa,
  ADD COLUMN mandate_id text REFERENCES mandates,
  ADD COLUMN fee bigint CHECK (fee >= 0),
  ADD COLUMN payout_id text REFERENCES payouts,
  ADD COLUMN captured_at timestamptz;
CREATE INDEX payments_of_payout ON payments (payout_id, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;
`;

const REFUNDS = `
CREATE TABLE refunds (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
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
CREATE INDEX refunds_newest ON refunds (live, created_at DESC, seq DESC);
CREATE INDEX refunds_of_payment ON refunds (payment_id, created_at DESC, seq DESC);
CREATE INDEX refunds_of_payout ON refunds (payout_id) WHERE payout_id IS NOT NULL;
CREATE INDEX refunds_due ON refunds (due_at, id) WHERE due_at IS NOT NULL;
`;

const DISPUTES = `
CREATE TABLE disputes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
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
  created_at timestamptz NOT NULL
);
CREATE INDEX disputes_newest ON disputes (live, created_at DESC, seq DESC);
CREATE INDEX disputes_of_payment ON disputes (payment_id, created_at DESC, seq DESC);
CREATE INDEX disputes_of_intent ON disputes (intent_id, created_at DESC, seq DESC)
  WHERE intent_id IS NOT NULL;
CREATE INDEX disputes_of_payout ON disputes (payout_id) WHERE payout_id IS NOT NULL;
`;

const LINES = `
-- Without a payout a line waits for the next one of its mode and currency. Amounts have no sign:
-- the kind says whether they are added or taken off.
CREATE TABLE payout_lines (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  payout_id text REFERENCES payouts,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute')),
  payment_id text NOT NULL REFERENCES payments,
  refund_id text UNIQUE REFERENCES refunds,
  dispute_id text UNIQUE REFERENCES disputes,
  method text NOT NULL CHECK (method IN ('card', 'sepa')),
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  currency text NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((kind = 'refund') = (refund_id IS NOT NULL)),
  CHECK ((kind = 'dispute') = (dispute_id IS NOT NULL))
);
CREATE UNIQUE INDEX payout_lines_one_a_payment ON payout_lines (payment_id) WHERE kind = 'payment';
CREATE INDEX payout_lines_waiting ON payout_lines (live, currency, seq) WHERE payout_id IS NULL;
CREATE INDEX payout_lines_of_payout ON payout_lines (payout_id, kind, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;
`;

const CATALOG = `
CREATE TABLE products (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  name text NOT NULL,
  description text,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX products_newest ON products (live, created_at DESC, seq DESC);

CREATE TABLE prices (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  product_id text NOT NULL REFERENCES products,
  amount bigint NOT NULL CHECK (amount BETWEEN 0 AND 4294967295),
  currency text NOT NULL,
  interval text CHECK (interval IN ('day', 'week', 'month', 'year')),
  interval_count integer CHECK (interval_count > 0),
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX prices_newest ON prices (live, created_at DESC, seq DESC);
CREATE INDEX prices_of_product ON prices (product_id);

-- items: [{"price": "price_…", "quantity": 1}], written as a whole.
CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'incomplete', 'active', 'past_due', 'unpaid', 'canceled')),
  customer_id text NOT NULL REFERENCES customers,
  card_id text REFERENCES cards,
  sepa_id text REFERENCES sepa,
  items jsonb NOT NULL,
  period_start timestamptz, period_end timestamptz,
  refusals integer NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  payment_id text REFERENCES payments,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  due_at timestamptz
);
CREATE INDEX subscriptions_newest ON subscriptions (live, created_at DESC, seq DESC);
CREATE INDEX subscriptions_due ON subscriptions (due_at, id) WHERE due_at IS NOT NULL;
`;

const LISTS = `
CREATE INDEX cards_newest ON cards (live, created_at DESC, seq DESC);
CREATE INDEX webhook_endpoints_newest ON webhook_endpoints (live, created_at DESC, seq DESC);
CREATE INDEX payment_intents_card ON payment_intents (card_id) WHERE card_id IS NOT NULL;
CREATE INDEX payment_intents_sepa ON payment_intents (sepa_id) WHERE sepa_id IS NOT NULL;
`;
