import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payouts with their lines, the ledger, and what is read in the background for each account. */
export class Payouts1760000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PROJECTIONS);
    await runner.query(LINES);
    await runner.query(TASKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_budgets, account_tasks, reconciliation_exceptions, reconciliation_marks,
                 payout_lines, ledger_journal, ledger_streams, payout_list;
    `);
  }
}

/** They follow from the log, and are rebuilt from it at will. */
const PROJECTIONS = `
  CREATE TABLE payout_list (
    payout_id       text    PRIMARY KEY,
    account_id      text    NOT NULL,
    platform_id     text    NOT NULL,
    merchant_id     text    NOT NULL,
    mode            text    NOT NULL,
    reference       text    NOT NULL,
    currency        text    NOT NULL,
    amount_minor    bigint  NOT NULL,
    fees_minor      bigint  NOT NULL,
    fees_vat_minor  bigint  NOT NULL,
    date            date    NOT NULL,
    status          text    NOT NULL,
    date_bank       date,
    totals          jsonb   NOT NULL,
    lines_read      boolean NOT NULL,
    matched         integer,
    exceptions      jsonb,
    mismatches      integer NOT NULL,
    version         integer NOT NULL
  );
  CREATE INDEX payout_list_newest ON payout_list (platform_id, date DESC, payout_id DESC);
  CREATE INDEX payout_list_of_account ON payout_list (account_id, currency, date);

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
    kind            text        NOT NULL
                    CHECK (kind IN ('payment', 'refund', 'dispute', 'payout', 'payout_failed')),
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
    CONSTRAINT ledger_journal_balances CHECK (
      payer_minor + provider_minor + merchant_minor + fees_minor + vat_minor + disputes_minor = 0)
  );
  CREATE INDEX ledger_journal_of_object ON ledger_journal (account_id, kind, object_id);
  CREATE INDEX ledger_journal_newest ON ledger_journal (account_id, currency, at DESC, event_id DESC)
    INCLUDE (payer_minor, provider_minor, merchant_minor, fees_minor, vat_minor, disputes_minor);
  CREATE INDEX ledger_journal_of_platform ON ledger_journal (platform_id, account_id, currency)
    INCLUDE (payer_minor, provider_minor, merchant_minor, fees_minor, vat_minor, disputes_minor);
`;

const LINES = `
  -- As the provider lists them; read again they are the same. The lines of a failed payout stand
  -- here too, and again in the one they joined.
  CREATE TABLE payout_lines (
    payout_id            text   NOT NULL,
    kind                 text   NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute')),
    -- The provider's: paym_, refd_ or dspt_.
    object_id            text   NOT NULL,
    account_id           text   NOT NULL,
    provider_payment_id  text   NOT NULL,
    -- Our payment, where the provider carries our reference.
    payment_id           text,
    -- What our journal calls it: our payment's id, or the provider's of a refund or dispute.
    journal_id           text,
    method               text,
    currency             text   NOT NULL,
    amount_minor         bigint NOT NULL,
    fee_minor            bigint,
    PRIMARY KEY (payout_id, kind, object_id)
  );
  CREATE INDEX payout_lines_of_object ON payout_lines (account_id, kind, object_id);
  CREATE INDEX payout_lines_of_journal ON payout_lines (account_id, kind, journal_id);

  -- Its id follows from what it is about, so that finding it twice is finding it once.
  CREATE TABLE reconciliation_exceptions (
    exception_id  text        PRIMARY KEY,
    kind          text        NOT NULL CHECK (kind IN (
                    'missing', 'unknown', 'amount', 'currency', 'duplicate', 'fee', 'late')),
    account_id    text        NOT NULL,
    platform_id   text        NOT NULL,
    merchant_id   text        NOT NULL,
    line_kind     text        NOT NULL CHECK (line_kind IN ('payment', 'refund', 'dispute', 'payout')),
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
  CREATE INDEX reconciliation_exceptions_open
    ON reconciliation_exceptions (account_id, kind) WHERE closed_at IS NULL;
  CREATE INDEX reconciliation_exceptions_of_payout
    ON reconciliation_exceptions (payout_id) WHERE payout_id IS NOT NULL;

  -- All that was booked before this day is in a payout, or is an exception.
  CREATE TABLE reconciliation_marks (
    account_id      text PRIMARY KEY,
    settled_before  date NOT NULL
  );
`;

const TASKS = `
  -- What is done in the background for an account. due_at: business time. progress: where a task
  -- that takes many calls has come to. claimed_until: database time.
  CREATE TABLE account_tasks (
    account_id     text        NOT NULL,
    kind           text        NOT NULL
                   CHECK (kind IN ('payouts', 'payout', 'lines', 'disputes', 'reconcile')),
    subject        text        NOT NULL DEFAULT '',
    due_at         timestamptz NOT NULL,
    tries          integer     NOT NULL DEFAULT 0,
    progress       jsonb       NOT NULL DEFAULT '{}',
    claim          uuid,
    claimed_until  timestamptz,
    PRIMARY KEY (account_id, kind, subject)
  );
  CREATE INDEX account_tasks_due ON account_tasks (due_at);

  -- Calls that may still be made in the background with a key, over all workers. Database time.
  CREATE TABLE provider_budgets (
    key_digest     text             PRIMARY KEY,
    calls_left     double precision NOT NULL,
    refilled_at    timestamptz      NOT NULL,
    blocked_until  timestamptz
  );
`;
