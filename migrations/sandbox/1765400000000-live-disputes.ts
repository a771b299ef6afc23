import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Disputes go on by the clock: evidence is checked, a dispute that nobody answers ends, and one that
 * was won gives its amount back by a line of its own. Cards of the test list have all that a number
 * tells.
 */
export class LiveDisputes1765400000000 implements MigrationInterface {
  readonly name = 'LiveDisputes1765400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE disputes ADD COLUMN due_at timestamptz;
      UPDATE disputes SET due_at = created_at + interval '20 days'
       WHERE status IN ('open', 'evidence_pending');
      CREATE INDEX disputes_due ON disputes (due_at, id) WHERE due_at IS NOT NULL;

      -- Of files what tells them again, and not their content: nobody reads it here.
      CREATE TABLE dispute_evidence (
        id text PRIMARY KEY,
        dispute_id text NOT NULL REFERENCES disputes,
        text text,
        files jsonb NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX dispute_evidence_of_dispute ON dispute_evidence (dispute_id, created_at);

      ALTER TABLE payout_lines
        DROP CONSTRAINT payout_lines_kind_check,
        ADD CONSTRAINT payout_lines_kind_check
          CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')),
        DROP CONSTRAINT payout_lines_check1,
        ADD CONSTRAINT payout_lines_check1
          CHECK ((kind IN ('dispute', 'dispute_reversal')) = (dispute_id IS NOT NULL)),
        DROP CONSTRAINT payout_lines_dispute_id_key,
        ADD CONSTRAINT payout_lines_dispute_id_key UNIQUE (dispute_id, kind);
      DROP VIEW books;
      ${books("l.kind IN ('payment', 'dispute_reversal')", "l.kind IN ('dispute', 'dispute_reversal')")}

      UPDATE cards SET network = coalesce(network, brand), nature = coalesce(nature, 'personal')
       WHERE scenario IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW books;
      ${books("l.kind = 'payment'", "l.kind = 'dispute'")}
      DELETE FROM payout_lines WHERE kind = 'dispute_reversal';
      ALTER TABLE payout_lines
        DROP CONSTRAINT payout_lines_kind_check,
        ADD CONSTRAINT payout_lines_kind_check CHECK (kind IN ('payment', 'refund', 'dispute')),
        DROP CONSTRAINT payout_lines_check1,
        ADD CONSTRAINT payout_lines_check1 CHECK ((kind = 'dispute') = (dispute_id IS NOT NULL)),
        DROP CONSTRAINT payout_lines_dispute_id_key,
        ADD CONSTRAINT payout_lines_dispute_id_key UNIQUE (dispute_id);
      DROP TABLE dispute_evidence;
      ALTER TABLE disputes DROP COLUMN due_at;
    `);
  }
}

/** As before, but for what a line adds and what it is booked against. */
const books = (isAdded: string, isOfDispute: string): string => `
CREATE VIEW books AS
  SELECT l.account_id, l.live, l.currency, p.account, p.amount, l.kind AS source,
         l.id AS source_id, l.created_at AS at
  FROM payout_lines l
  CROSS JOIN LATERAL (VALUES (CASE WHEN ${isAdded} THEN l.amount ELSE -l.amount END))
    AS signed (amount)
  CROSS JOIN LATERAL (VALUES
    (CASE WHEN ${isOfDispute} THEN 'disputes' ELSE 'payer' END, -signed.amount),
    ('merchant', signed.amount - l.fee),
    ('fees', l.fee)
  ) AS p (account, amount)
  WHERE p.amount <> 0
UNION ALL
  SELECT o.account_id, o.live, o.currency, p.account, p.amount, 'payout', o.id, o.created_at
  FROM payouts o
  CROSS JOIN LATERAL (VALUES
    ('merchant', -o.amount - o.fees_vat),
    ('vat', o.fees_vat),
    ('payouts', o.amount)
  ) AS p (account, amount)
  WHERE o.status IN ('sent', 'paid') AND p.amount <> 0;`;
