/**
 * What is paid out, line by line, and the books: a view, so they are never behind what was cleared
 * and paid out. The postings of one source sum to nothing, and so do all of them.
 */
export const MONEY = `
-- Without a payout a line waits for the next one of its mode and currency; due_at is the morning at
-- which it joins one. Without either it was carried, as its day's amount was not positive, and goes
-- with the next line that falls due. Amounts have no sign: the kind says whether they are added.
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
-- What waits is summed for every look at it: the index alone says it.
CREATE INDEX payout_lines_waiting ON payout_lines (account_id, live, currency, seq)
  INCLUDE (kind, amount) WHERE payout_id IS NULL;
CREATE INDEX payout_lines_due ON payout_lines (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payout_lines_of_payout ON payout_lines (payout_id, kind, created_at DESC, seq DESC)
  WHERE payout_id IS NOT NULL;

-- Double-entry books. What is in the account merchant is owed to the merchant; payer is negative by
-- what payers have paid. A line is booked when it clears, a payout when its transfer leaves.
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
