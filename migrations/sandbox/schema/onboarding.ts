/**
 * The onboarding API. A company's file is what the partner told of it, as one document: it is read
 * and changed as a whole, under the row's lock. `due_at` is when the clock moves the row next; its
 * status says where to.
 */
export const ONBOARDING = `
CREATE TABLE onboarding_companies (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  partner text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'notComplete', 'pendingActivation', 'validated', 'available', 'pendingDeactivation',
    'deactivate')),
  -- Set by PATCH /company-status: from then on the clock moves it no more.
  by_hand boolean NOT NULL DEFAULT false,
  file jsonb NOT NULL,
  -- Raised by whatever the merchant would have to review again before signing.
  version integer NOT NULL DEFAULT 1,
  account_id text NOT NULL UNIQUE,
  link_token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- What was signed stays as it was signed, whatever changes later.
  signed_at timestamptz,
  signed_file jsonb,
  code_hash bytea,
  code_tries integer NOT NULL DEFAULT 0,
  code_expires_at timestamptz,
  -- Of the file that the code was sent for.
  code_version integer,
  -- Wrong codes since the first of the day, whichever code they were tried against.
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_codes_since timestamptz,
  ended_by_service boolean NOT NULL DEFAULT false,
  keys_shown_at timestamptz,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX onboarding_companies_due ON onboarding_companies (due_at, id)
  WHERE due_at IS NOT NULL;
CREATE INDEX onboarding_companies_newest ON onboarding_companies (seq DESC);

-- Which user emails are taken, in small letters. A terminated one stays so for good.
CREATE TABLE onboarding_emails (
  live boolean NOT NULL,
  email text NOT NULL,
  company_id text NOT NULL REFERENCES onboarding_companies,
  terminated boolean NOT NULL DEFAULT false,
  PRIMARY KEY (live, email)
);
CREATE INDEX onboarding_emails_of_company ON onboarding_emails (company_id);

CREATE TABLE onboarding_status_changes (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  partner text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL,
  terminated_by_service boolean NOT NULL,
  at timestamptz NOT NULL,
  -- The history speaks of calendar days where the service is.
  day date NOT NULL GENERATED ALWAYS AS ((at AT TIME ZONE 'Europe/Paris')::date) STORED
);
CREATE INDEX onboarding_status_changes_by_day
  ON onboarding_status_changes (partner, live, day, company_id, seq DESC);

-- The address to which each expected document is sent. Who knows the token may send it.
CREATE TABLE onboarding_uploads (
  token text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  document text NOT NULL CHECK (document IN ('kbis', 'iban', 'idcard')),
  person_id text CHECK ((document = 'idcard') = (person_id IS NOT NULL)),
  UNIQUE NULLS NOT DISTINCT (company_id, document, person_id)
);

CREATE TABLE onboarding_documents (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  token text NOT NULL REFERENCES onboarding_uploads,
  name text NOT NULL,
  media_type text NOT NULL,
  size_bytes integer NOT NULL CHECK (size_bytes BETWEEN 1 AND 10485760),
  date_issue date, date_expiry date, number text,
  created_at timestamptz NOT NULL
);
CREATE INDEX onboarding_documents_of_company ON onboarding_documents (company_id, seq);
CREATE INDEX onboarding_documents_of_upload ON onboarding_documents (token);

-- Written while the upload arrives, before its document is there: what no document claims within
-- the hour is of an upload that broke off.
CREATE TABLE onboarding_document_chunks (
  document_id text NOT NULL,
  n integer NOT NULL,
  bytes bytea NOT NULL,
  arrived_wall_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (document_id, n)
);
-- What is uploaded is compressed already.
ALTER TABLE onboarding_document_chunks ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE onboarding_terminals (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  account_id text NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN (
    'pendingOrder', 'orderCancelled', 'orderInProgress', 'shipped', 'delivred', 'activated',
    'posLostByCarrier', 'pendingPosReturn', 'poskeptByMerchant', 'posReturned', 'deactivated')),
  carrier_name text,
  tracking_url text,
  -- Where it goes: as it was when the terminal was ordered.
  shipping_address jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX onboarding_terminals_of_account ON onboarding_terminals (company_id, account_id, seq);
CREATE INDEX onboarding_terminals_due ON onboarding_terminals (due_at, id)
  WHERE due_at IS NOT NULL;

-- Text messages to users: they leave the sandbox for its inbox only. The body is erased when its
-- code ends; due_at, while the code is open: when it expires.
CREATE TABLE onboarding_messages (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  recipient text NOT NULL,
  body text,
  sent_at timestamptz NOT NULL,
  due_at timestamptz,
  CONSTRAINT onboarding_messages_body_while_open CHECK ((body IS NULL) = (due_at IS NULL))
);
CREATE INDEX onboarding_messages_of_company ON onboarding_messages (company_id, seq);
CREATE INDEX onboarding_messages_due ON onboarding_messages (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX onboarding_messages_open ON onboarding_messages (company_id)
  WHERE due_at IS NOT NULL;

-- Keys of the payment API. The key itself is sealed; its hash is what a request is known by.
CREATE TABLE merchant_keys (
  hash bytea PRIMARY KEY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  live boolean NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (company_id, live)
);
`;
