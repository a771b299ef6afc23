/** Products, their prices, and the subscriptions to them. */
export const SUBSCRIPTIONS = `
CREATE TABLE products (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  name text NOT NULL,
  description text,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX products_newest ON products (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;

CREATE TABLE prices (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  product_id text NOT NULL REFERENCES products,
  amount bigint NOT NULL CHECK (amount BETWEEN 0 AND 4294967295),
  currency text NOT NULL,
  interval text CHECK (interval IN ('day', 'week', 'month', 'year')),
  interval_count integer CHECK (interval_count > 0),
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX prices_newest ON prices (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX prices_of_product ON prices (product_id);

-- items: [{"price": "price_…", "quantity": 1}], written as a whole.
CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  live boolean NOT NULL,
  status text NOT NULL CHECK (status IN (
    'incomplete', 'active', 'past_due', 'unpaid', 'canceled')),
  customer_id text NOT NULL REFERENCES customers,
  card_id text REFERENCES cards,
  sepa_id text REFERENCES sepa,
  items jsonb NOT NULL,
  period_start timestamptz, period_end timestamptz,
  refusals integer NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  payment_id text REFERENCES payments,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  due_at timestamptz
);
CREATE INDEX subscriptions_newest ON subscriptions (account_id, live, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_due ON subscriptions (due_at, id) WHERE due_at IS NOT NULL;
`;
