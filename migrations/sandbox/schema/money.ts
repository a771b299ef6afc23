/**
 * Payout lines, and the double-entry ledger (`books`), a view that is always up to date. The
 * postings of each payment, refund, dispute or payout sum to 0.
 */
export const MONEY = `
-- A line without a payout waits for the next one of its mode and currency; due_at is the morning on
-- which it joins. A line without either was carried over because its day's amount was not positive;
-- it joins the next due payout. Amounts are unsigned: the kind says whether they are added.
CREATE TABLE payout_lines (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  payout_id text REFERENCES payouts,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')),
  payment_id text NOT NULL REFERENCES payments,
  refund_id text UNIQUE REFERENCES refunds,
  dispute_id text REFERENCES disputes,
  method text NOT NULL CHECK (method IN ('card', 'sepa')),
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  currency text NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  CONSTRAINT payout_lines_dispute_id_key UNIQUE (dispute_id, kind),
  CHECK ((kind = 'refund') = (refund_id IS NOT NULL)),
  CHECK ((kind IN ('dispute', 'dispute_reversal')) = (dispute_id IS NOT NULL))
);
CREATE UNIQUE INDEX payout_lines_one_a_payment ON payout_lines (payment_id) WHERE kind = 'payment';
CREATE INDEX payout_lines_of_payment ON payout_lines (payment_id);
-- Waiting lines are summed for each read, from the index alone.
CREATE INDEX payout_lines_waiting ON payout_lines (account_id, live, currency, seq)
  INCLUDE (kind, amount) WHERE payout_id IS NULL;
CREATE INDEX payout_lines_due ON payout_lines (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payout_lines_of_payout ON payout_lines (payout_id, kind, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;

-- Double-entry books. The balance of merchant is owed to the merchant; payer is negative by the
-- amount paid. A line is booked when it clears, a payout when its transfer is sent.
CREATE VIEW books AS
  SELECT l.account_id, l.live, l.currency, p.account, p.amount, l.kind AS source,
         l.id AS source_id, l.created_at AS at
  FROM payout_lines l
  CROSS JOIN LATERAL (VALUES (
    CASE WHEN l.kind IN ('payment', 'dispute_reversal') THEN l.amount ELSE -l.amount END))
    AS signed (amount)
  CROSS JOIN LATERAL (VALUES
    (CASE WHEN l.kind IN ('dispute', 'dispute_reversal') THEN 'disputes' ELSE 'payer' END,
     -signed.amount),
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
  WHERE o.status IN ('sent', 'paid') AND p.amount <> 0;
`;
