import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose each object is: the account of the key that made it. Until now all keys saw all objects of
 * their mode; these stay with the sandbox's own account. What a list reads is an index in its order,
 * without the rows that it leaves out, and what the User Area searches by has one too.
 */
export class Accounts1764800000000 implements MigrationInterface {
  readonly name = 'Accounts1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of TABLES) {
      await runner.query(`
        ALTER TABLE ${name} ADD COLUMN account_id text NOT NULL DEFAULT 'acct_house';
        ALTER TABLE ${name} ALTER COLUMN account_id DROP DEFAULT;
      `);
    }
    for (const [name, listed] of Object.entries(LISTED)) {
      await runner.query(`
        DROP INDEX IF EXISTS ${name}_newest;
        CREATE INDEX ${name}_newest ON ${name} (account_id, live, created_at DESC, seq DESC)
          ${listed === null ? '' : `WHERE ${listed}`};
      `);
    }
    await runner.query(UNIQUE);
    await runner.query(SEARCHED);
    await runner.query(BOOKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW books;
      ${BOOKS_BEFORE}
    `);
    await runner.query(UNDONE);
    for (const name of TABLES) {
      await runner.query(`ALTER TABLE ${name} DROP COLUMN account_id`);
    }
    for (const name of Object.keys(LISTED)) {
      await runner.query(
        `CREATE INDEX ${name}_newest ON ${name} (live, created_at DESC, seq DESC)`,
      );
    }
  }
}

const NOT_DELETED = 'deleted_at IS NULL';

/** The tables that lists read, each with the condition of its list. */
const LISTED: Readonly<Record<string, string | null>> = {
  addresses: NOT_DELETED, customers: NOT_DELETED, cards: NOT_DELETED, sepa: NOT_DELETED,
  mandates: NOT_DELETED, products: NOT_DELETED, prices: NOT_DELETED, subscriptions: NOT_DELETED,
  webhook_endpoints: NOT_DELETED, payment_intents: 'NOT single_call', payments: null,
  refunds: null, disputes: null, payouts: null, events: null, messages: null,
};

const TABLES = [...Object.keys(LISTED), 'payout_lines'];

const UNIQUE = `
ALTER TABLE cards DROP CONSTRAINT cards_same_card,
  ADD CONSTRAINT cards_same_card UNIQUE (account_id, live, fingerprint);
ALTER TABLE payment_intents DROP CONSTRAINT payment_intents_unique_id,
  ADD CONSTRAINT payment_intents_unique_id UNIQUE (account_id, live, unique_id);
ALTER TABLE mandates DROP CONSTRAINT mandates_rum,
  ADD CONSTRAINT mandates_rum UNIQUE (account_id, live, rum);
ALTER TABLE payouts DROP CONSTRAINT payouts_one_a_day, DROP CONSTRAINT payouts_reference_key,
  ADD CONSTRAINT payouts_one_a_day UNIQUE (account_id, live, currency, date),
  ADD CONSTRAINT payouts_reference UNIQUE (account_id, reference);
DROP INDEX payout_lines_waiting;
CREATE INDEX payout_lines_waiting ON payout_lines (account_id, live, currency, seq)
  WHERE payout_id IS NULL;
`;

const SEARCHED = `
DROP INDEX payments_of_status;
CREATE INDEX payments_of_status
  ON payments (account_id, live, status, created_at DESC, seq DESC);
CREATE INDEX payments_of_method
  ON payments (account_id, live, method, created_at DESC, seq DESC);
CREATE INDEX payments_of_card ON payments (card_id) WHERE card_id IS NOT NULL;
CREATE INDEX payments_of_sepa ON payments (sepa_id) WHERE sepa_id IS NOT NULL;
CREATE INDEX payments_of_mandate ON payments (mandate_id) WHERE mandate_id IS NOT NULL;
CREATE INDEX events_of_type ON events (account_id, live, type, created_at DESC, seq DESC);
CREATE INDEX cards_last4 ON cards (account_id, live, last4);
CREATE INDEX sepa_last4 ON sepa (account_id, live, last4);
CREATE INDEX customers_email ON customers (account_id, live, lower(email));
CREATE INDEX customers_mobile ON customers (account_id, live, mobile);
CREATE INDEX customers_external_id ON customers (account_id, live, lower(external_id));
CREATE INDEX customers_name ON customers (account_id, live, lower(name));
CREATE INDEX onboarding_companies_newest ON onboarding_companies (seq DESC);
`;

const UNDONE = `
DROP INDEX payments_of_card, payments_of_sepa, payments_of_mandate,
  onboarding_companies_newest;
ALTER TABLE cards DROP CONSTRAINT cards_same_card,
  ADD CONSTRAINT cards_same_card UNIQUE (live, fingerprint);
ALTER TABLE payment_intents DROP CONSTRAINT payment_intents_unique_id,
  ADD CONSTRAINT payment_intents_unique_id UNIQUE (live, unique_id);
ALTER TABLE mandates DROP CONSTRAINT mandates_rum,
  ADD CONSTRAINT mandates_rum UNIQUE (live, rum);
ALTER TABLE payouts DROP CONSTRAINT payouts_one_a_day, DROP CONSTRAINT payouts_reference,
  ADD CONSTRAINT payouts_one_a_day UNIQUE (live, currency, date),
  ADD CONSTRAINT payouts_reference_key UNIQUE (reference);
DROP INDEX payout_lines_waiting;
CREATE INDEX payout_lines_waiting ON payout_lines (live, currency, seq) WHERE payout_id IS NULL;
DROP INDEX payments_of_status;
CREATE INDEX payments_of_status ON payments (live, status, created_at DESC, seq DESC);
`;

const books = (ofLine: string, ofPayout: string): string => `
CREATE VIEW books AS
  SELECT ${ofLine} l.live, l.currency, p.account, p.amount, l.kind AS source, l.id AS source_id,
         l.created_at AS at
  FROM payout_lines l
  CROSS JOIN LATERAL (VALUES (CASE WHEN l.kind = 'payment' THEN l.amount ELSE -l.amount END))
    AS signed (amount)
  CROSS JOIN LATERAL (VALUES
    (CASE WHEN l.kind = 'dispute' THEN 'disputes' ELSE 'payer' END, -signed.amount),
    ('merchant', signed.amount - l.fee),
    ('fees', l.fee)
  ) AS p (account, amount)
  WHERE p.amount <> 0
UNION ALL
  SELECT ${ofPayout} o.live, o.currency, p.account, p.amount, 'payout', o.id, o.created_at
  FROM payouts o
  CROSS JOIN LATERAL (VALUES
    ('merchant', -o.amount - o.fees_vat),
    ('vat', o.fees_vat),
    ('payouts', o.amount)
  ) AS p (account, amount)
  WHERE o.status IN ('sent', 'paid') AND p.amount <> 0;`;

/** Double-entry books as before, of each merchant account. */
const BOOKS = `DROP VIEW books; ${books('l.account_id,', 'o.account_id,')}`;
const BOOKS_BEFORE = books('', '');
