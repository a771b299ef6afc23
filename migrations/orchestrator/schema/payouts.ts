/** Payouts, their lines, and the reconciliation breaks. */
export const PAYOUTS = `
-- A projection of the payout streams.
CREATE TABLE payout_list (
  payout_id       text        PRIMARY KEY,
  account_id      text        NOT NULL,
  platform_id     text        NOT NULL,
  merchant_id     text        NOT NULL,
  mode            text        NOT NULL,
  reference       text        NOT NULL,
  currency        text        NOT NULL,
  amount_minor    bigint      NOT NULL,
  fees_minor      bigint      NOT NULL,
  fees_vat_minor  bigint      NOT NULL,
  date            date        NOT NULL,
  status          text        NOT NULL,
  bank_date       date,
  totals          jsonb       NOT NULL,
  lines_read      boolean     NOT NULL,
  matched         integer,
  exceptions      jsonb,
  mismatches      integer     NOT NULL,
  version         integer     NOT NULL,
  -- The day on which it was learnt: what stood in it is expected anew from then on.
  failed_on       date,
  updated_at      timestamptz NOT NULL DEFAULT 'epoch'
);
CREATE INDEX payout_list_newest ON payout_list (platform_id, date DESC, payout_id DESC);
CREATE INDEX payout_list_updated ON payout_list (platform_id, updated_at DESC, payout_id DESC);
CREATE INDEX payout_list_amounts
    ON payout_list (platform_id, currency, amount_minor DESC, payout_id DESC);
CREATE INDEX payout_list_of_account ON payout_list (account_id, currency, date);
CREATE INDEX payout_list_of_merchant ON payout_list (merchant_id, date DESC, payout_id DESC);
CREATE INDEX payout_list_all_newest ON payout_list (date DESC, payout_id DESC);
CREATE INDEX payout_list_by_status ON payout_list (status, date DESC, payout_id DESC);
CREATE INDEX payout_list_all_updated ON payout_list (updated_at DESC, payout_id DESC);
CREATE INDEX payout_list_all_amounts ON payout_list (currency, amount_minor DESC, payout_id DESC);
CREATE INDEX payout_list_by_reference ON payout_list (reference);

-- As the provider lists them; read again they are the same. The lines of a failed payout stand
-- here too, and again in the one they joined.
CREATE TABLE payout_lines (
  payout_id            text      NOT NULL,
  kind                 text      NOT NULL
                       CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')),
  -- The provider's payment, or capture where it shows captures, refund or dispute.
  object_id            text      NOT NULL,
  account_id           text      NOT NULL,
  provider_payment_id  text      NOT NULL,
  -- Our payment, where the provider shows our reference.
  payment_id           text,
  -- What our journal calls it: our payment's id, or the provider's of a capture, refund or dispute.
  journal_id           text,
  method               text,
  currency             text      NOT NULL,
  amount_minor         bigint    NOT NULL,
  fee_minor            bigint,
  -- A payout may list one object more than once: where in the list it stood, when the list was read
  -- for the pass-th time.
  pass                 integer   NOT NULL DEFAULT 0,
  places               integer[] NOT NULL DEFAULT '{0}',
  occurrences          integer   GENERATED ALWAYS AS (cardinality(places)) STORED,
  PRIMARY KEY (payout_id, kind, object_id)
);
CREATE INDEX payout_lines_of_payment ON payout_lines (account_id, provider_payment_id)
 WHERE kind = 'payment';
CREATE INDEX payout_lines_of_journal ON payout_lines (account_id, kind, journal_id);

-- Its id follows from what it is about, so that finding it twice is finding it once.
CREATE TABLE reconciliation_exceptions (
  exception_id  text        PRIMARY KEY,
  kind          text        NOT NULL CHECK (kind IN (
                  'missing', 'unknown', 'amount', 'currency', 'duplicate', 'fee', 'late')),
  account_id    text        NOT NULL,
  platform_id   text        NOT NULL,
  merchant_id   text        NOT NULL,
  line_kind     text        NOT NULL CHECK (line_kind IN (
                  'payment', 'refund', 'dispute', 'dispute_reversal', 'payout')),
  object_id     text        NOT NULL,
  payment_id    text,
  payout_id     text,
  currency      text        NOT NULL,
  amount_minor  bigint      NOT NULL,
  expected      text        NOT NULL,
  observed      text        NOT NULL,
  -- The day of the fact, not of its finding: the same whenever it is found.
  since         date        NOT NULL,
  found_at      timestamptz NOT NULL,
  closed_at     timestamptz,
  -- 'facts', or the actor who closed it.
  closed_by     text,
  close_reason  text,
  CHECK ((closed_at IS NULL) = (closed_by IS NULL))
);
CREATE INDEX reconciliation_exceptions_newest
    ON reconciliation_exceptions (platform_id, found_at DESC, exception_id DESC);
CREATE INDEX reconciliation_exceptions_all_newest
    ON reconciliation_exceptions (found_at DESC, exception_id DESC);
CREATE INDEX reconciliation_exceptions_open
    ON reconciliation_exceptions (account_id, kind) WHERE closed_at IS NULL;
CREATE INDEX reconciliation_exceptions_all_open
    ON reconciliation_exceptions (since) WHERE closed_at IS NULL;
CREATE INDEX reconciliation_exceptions_of_payout
    ON reconciliation_exceptions (payout_id) WHERE payout_id IS NOT NULL;
CREATE INDEX reconciliation_exceptions_of_payment
    ON reconciliation_exceptions (payment_id) WHERE payment_id IS NOT NULL;

-- All that was booked before this day is in a payout, or is an exception.
CREATE TABLE reconciliation_marks (
  account_id      text PRIMARY KEY,
  settled_before  date NOT NULL
);
`;
