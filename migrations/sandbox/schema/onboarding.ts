/**
 * The tables of the onboarding API. The column `file` of a company is one JSON document with the
 * partner's data, read and changed as a whole under the row's lock. `due_at` is the time at which
 * the row changes next without a request, such as the end of a review; the row's status determines
 * the change.
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
  -- Set by PATCH /company-status: from then on the clock does not change the status.
  by_hand boolean NOT NULL DEFAULT false,
  file jsonb NOT NULL,
  -- Raised by each change that the merchant has to review again before signing.
  version integer NOT NULL DEFAULT 1,
  account_id text NOT NULL UNIQUE,
  link_token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- The signed data stays unchanged after later changes.
  signed_at timestamptz,
  signed_file jsonb,
  code_hash bytea,
  code_tries integer NOT NULL DEFAULT 0,
  code_expires_at timestamptz,
  -- The version of the file that the code was sent for.
  code_version integer,
  -- Wrong codes since the first one of the day, for any code.
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_codes_since timestamptz,
  ended_by_service boolean NOT NULL DEFAULT false,
  keys_shown_at timestamptz,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX onboarding_companies_due ON onboarding_companies (due_at, id)
  WHERE due_at IS NOT NULL;
CREATE INDEX onboarding_companies_newest ON onboarding_companies (seq DESC);

-- Used user emails, in lower case. The email of a terminated user stays used.
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
  -- Calendar days in the service's time zone.
  day date NOT NULL GENERATED ALWAYS AS ((at AT TIME ZONE 'Europe/Paris')::date) STORED
);
CREATE INDEX onboarding_status_changes_by_day
  ON onboarding_status_changes (partner, live, day, company_id, seq DESC);

-- The upload address of each expected document. The token authorizes the upload.
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

-- Written during an upload, before its document exists: a chunk that no document claims within the
-- hour belongs to an interrupted upload.
CREATE TABLE onboarding_document_chunks (
  document_id text NOT NULL,
  n integer NOT NULL,
  bytes bytea NOT NULL,
  arrived_wall_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (document_id, n)
);
-- Uploads are usually compressed already.
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
  -- The delivery address when the terminal was ordered.
  shipping_address jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX onboarding_terminals_of_account ON onboarding_terminals (company_id, account_id, seq);
CREATE INDEX onboarding_terminals_due ON onboarding_terminals (due_at, id)
  WHERE due_at IS NOT NULL;

-- Text messages to users, shown only in the sandbox's inbox. The body is erased when its code ends;
-- due_at is when an open code expires.
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

-- Keys of the payment API. The key is encrypted; requests are matched by its hash.
CREATE TABLE merchant_keys (
  hash bytea PRIMARY KEY,
  company_id text NOT NULL REFERENCES onboarding_companies,
  live boolean NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (company_id, live)
);
`;
