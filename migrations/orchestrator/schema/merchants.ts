/**
 * Merchants: their lists, their personal data, and up to which day the provider's status history
 * was read.
 */
export const MERCHANTS = `
-- A projection of the merchant streams, as the next table is.
CREATE TABLE merchant_list (
  merchant_id      text        PRIMARY KEY,
  platform_id      text        NOT NULL,
  reference        text        NOT NULL,
  mode             text        NOT NULL,
  status           text        NOT NULL,
  orders_enabled  boolean     NOT NULL,
  company_id       text,
  drafted_at       timestamptz NOT NULL,
  version          integer     NOT NULL
);
CREATE INDEX merchant_list_newest
    ON merchant_list (platform_id, drafted_at DESC, merchant_id DESC);
CREATE INDEX merchant_list_by_status
    ON merchant_list (platform_id, status, drafted_at DESC, merchant_id DESC);
CREATE INDEX merchant_list_by_reference ON merchant_list (platform_id, reference);
CREATE INDEX merchant_list_all_newest ON merchant_list (drafted_at DESC, merchant_id DESC);
CREATE INDEX merchant_list_all_by_status
    ON merchant_list (status, drafted_at DESC, merchant_id DESC);
CREATE INDEX merchant_list_of_company ON merchant_list (company_id);
CREATE INDEX merchant_list_all_by_reference ON merchant_list (reference);

-- Which merchants need attention.
CREATE TABLE merchant_attention (
  merchant_id       text        PRIMARY KEY,
  status            text        NOT NULL,
  status_overdue_since      timestamptz,
  unknown_results     text[]      NOT NULL,
  unknown_since     timestamptz,
  version           integer     NOT NULL,
  mismatches        text[]      NOT NULL DEFAULT '{}',
  mismatched_since  timestamptz
);
CREATE INDEX merchant_attention_needed ON merchant_attention (merchant_id)
 WHERE status_overdue_since IS NOT NULL OR unknown_since IS NOT NULL OR mismatched_since IS NOT NULL;

-- Erasable. Sealed under the key of the environment that the text names.
CREATE TABLE merchant_details (
  ref          text        PRIMARY KEY,
  merchant_id  text        NOT NULL,
  sealed       text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX merchant_details_of ON merchant_details (merchant_id);
CREATE INDEX merchant_details_by_age ON merchant_details (created_at);

-- One row an environment. The watermark is the first day, in Europe/Paris, that has not been read
-- since it was over. Business time but for updated_at; the lease's token fences.
CREATE TABLE history_watermarks (
  mode           text        PRIMARY KEY CHECK (mode IN ('test', 'live')),
  watermark      date        NOT NULL,
  next_round_at  timestamptz NOT NULL,
  failures       integer     NOT NULL DEFAULT 0,
  token          bigint      NOT NULL DEFAULT 0,
  updated_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
`;
