/**
 * The ledger: a projection of payments and payouts, which can be rebuilt from the log at any time.
 */
export const LEDGER = `
-- What the journal needs to know of each stream to book its next event.
CREATE TABLE ledger_streams (
  stream_id    text    PRIMARY KEY,
  account_id   text    NOT NULL,
  platform_id  text    NOT NULL,
  currency     text    NOT NULL,
  book         jsonb   NOT NULL,
  version      integer NOT NULL
);

-- One row an event that moves money, one column a ledger account; each row sums to zero.
-- Business time. What is booked of a payment, refund or dispute is to come in a payout.
CREATE TABLE ledger_journal (
  event_id        uuid        PRIMARY KEY,
  kind            text        NOT NULL CHECK (kind IN (
                    'payment', 'refund', 'dispute', 'dispute_reversal', 'payout', 'payout_failed')),
  object_id       text        NOT NULL,
  stream_id       text        NOT NULL,
  account_id      text        NOT NULL,
  platform_id     text        NOT NULL,
  currency        text        NOT NULL,
  amount_minor    bigint      NOT NULL CHECK (amount_minor >= 0),
  payer_minor     bigint      NOT NULL,
  provider_minor  bigint      NOT NULL,
  merchant_minor  bigint      NOT NULL,
  fees_minor      bigint      NOT NULL,
  vat_minor       bigint      NOT NULL,
  disputes_minor  bigint      NOT NULL,
  at              timestamptz NOT NULL,
  -- Of money that came in: its capture. Null for all others, and for those booked before captures
  -- had ids: these follow from the payment's.
  capture_id      text,
  CONSTRAINT ledger_journal_balances CHECK (
    payer_minor + provider_minor + merchant_minor + fees_minor + vat_minor + disputes_minor = 0)
);
CREATE INDEX ledger_journal_of_object ON ledger_journal (account_id, kind, object_id);
CREATE INDEX ledger_journal_newest ON ledger_journal (account_id, currency, at DESC, event_id DESC)
  INCLUDE (payer_minor, provider_minor, merchant_minor, fees_minor, vat_minor, disputes_minor);
-- Ledger accounts with few entries, a payout's one beside its day's payments: their entries are
-- read without passing over every payment.
CREATE INDEX ledger_journal_of_merchant
    ON ledger_journal (account_id, currency, at DESC, event_id DESC)
  INCLUDE (merchant_minor) WHERE merchant_minor <> 0;
CREATE INDEX ledger_journal_of_vat
    ON ledger_journal (account_id, currency, at DESC, event_id DESC)
  INCLUDE (vat_minor) WHERE vat_minor <> 0;
CREATE INDEX ledger_journal_of_disputes
    ON ledger_journal (account_id, currency, at DESC, event_id DESC)
  INCLUDE (disputes_minor) WHERE disputes_minor <> 0;

-- A balance is one row, and not the sum of all that was ever booked.
CREATE TABLE ledger_balances (
  platform_id     text   NOT NULL,
  account_id      text   NOT NULL,
  currency        text   NOT NULL,
  payer_minor     bigint NOT NULL,
  provider_minor  bigint NOT NULL,
  merchant_minor  bigint NOT NULL,
  fees_minor      bigint NOT NULL,
  vat_minor       bigint NOT NULL,
  disputes_minor  bigint NOT NULL,
  PRIMARY KEY (platform_id, account_id, currency),
  CONSTRAINT ledger_balances_balance CHECK (
    payer_minor + provider_minor + merchant_minor + fees_minor + vat_minor + disputes_minor = 0)
);
`;
