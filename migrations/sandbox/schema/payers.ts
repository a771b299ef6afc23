/** Payers and their payment methods: addresses, customers, cards, bank accounts and mandates. */
export const PAYERS = `
CREATE TABLE addresses (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  zip_code text NOT NULL, city text NOT NULL, country text NOT NULL,
  line1 text, line2 text, line3 text, state text,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX addresses_newest ON addresses (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;

CREATE TABLE customers (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  email text, mobile text, name text, date_birth date, legal_id text, country text,
  external_id text,
  billing_address text REFERENCES addresses, shipping_address text REFERENCES addresses,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX customers_newest ON customers (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX customers_email ON customers (account_id, live, lower(email));
CREATE INDEX customers_mobile ON customers (account_id, live, mobile);
CREATE INDEX customers_external_id ON customers (account_id, live, lower(external_id));
CREATE INDEX customers_name ON customers (account_id, live, lower(name));

-- The number and the security code are never stored. The fingerprint is an HMAC of number and
-- expiry.
CREATE TABLE cards (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
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
  CONSTRAINT cards_same_card UNIQUE (account_id, live, fingerprint)
);
CREATE INDEX cards_newest ON cards (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX cards_last4 ON cards (account_id, live, last4);

-- The IBAN is never stored. The fingerprint is an HMAC of it.
CREATE TABLE sepa (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
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
CREATE INDEX sepa_newest ON sepa (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX sepa_last4 ON sepa (account_id, live, last4);
`;
