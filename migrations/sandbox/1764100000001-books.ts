import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sandbox's books: whose money is where, by account. They are a view, so they are never behind
 * what was cleared and paid out. The postings of one source sum to nothing, and so do all of them.
 */
export class Books1764100000001 implements MigrationInterface {
  readonly name = 'Books1764100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BOOKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW books');
  }
}

const BOOKS = `
-- Double-entry books. What is in the account merchant is owed to the merchant; payer is negative by what payers have paid.
-- A line is booked when it clears, a payout when its transfer leaves.
CREATE VIEW books AS
  SELECT l.live, l.currency, p.account, p.amount, l.kind AS source, l.id AS source_id,
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
  SELECT o.live, o.currency, p.account, p.amount, 'payout', o.id, o.created_at
  FROM payouts o
  CROSS JOIN LATERAL (VALUES
    ('merchant', -o.amount - o.fees_vat),
    ('vat', o.fees_vat),
    ('payouts', o.amount)
  ) AS p (account, amount)
  WHERE o.status IN ('sent', 'paid') AND p.amount <> 0;
`;