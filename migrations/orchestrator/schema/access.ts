/** API keys, and the daily limits on the amounts that the keys may move. */
export const ACCESS = `
CREATE TABLE api_keys (
  prefix       text        PRIMARY KEY,
  platform_id  text        NOT NULL,
  hash         bytea       NOT NULL,
  scopes       text[]      NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz,
  revoked_at   timestamptz
);
CREATE INDEX api_keys_by_platform ON api_keys (platform_id);

-- holder_id '*': all that have no limit of their own. Amounts are minor units, of each currency by
-- itself.
CREATE TABLE daily_limits (
  holder     text   NOT NULL CHECK (holder IN ('key', 'platform', 'mandate')),
  holder_id  text   NOT NULL,
  operation  text   NOT NULL CHECK (operation IN ('refund', 'capture', 'debit')),
  unit       text   NOT NULL CHECK (unit IN ('amount', 'count')),
  daily      bigint NOT NULL CHECK (daily >= 0),
  PRIMARY KEY (holder, holder_id, operation, unit)
);
INSERT INTO daily_limits VALUES
  ('key', '*', 'refund', 'amount', 10000000000),
  ('key', '*', 'refund', 'count', 100000),
  ('key', '*', 'capture', 'amount', 100000000000),
  ('key', '*', 'capture', 'count', 1000000),
  ('key', '*', 'debit', 'amount', 100000000000),
  ('key', '*', 'debit', 'count', 100000),
  ('platform', '*', 'refund', 'amount', 10000000000),
  ('platform', '*', 'refund', 'count', 100000),
  ('platform', '*', 'capture', 'amount', 100000000000),
  ('platform', '*', 'capture', 'count', 1000000),
  ('platform', '*', 'debit', 'amount', 100000000000),
  ('platform', '*', 'debit', 'count', 100000),
  ('mandate', '*', 'debit', 'amount', 10000000),
  ('mandate', '*', 'debit', 'count', 100);

-- unit: count, or the currency of an amount. A day is one of UTC, by business time.
CREATE TABLE daily_use (
  day        date        NOT NULL,
  holder     text        NOT NULL,
  holder_id  text        NOT NULL,
  operation  text        NOT NULL,
  unit       text        NOT NULL,
  used       bigint      NOT NULL,
  daily      bigint      NOT NULL,
  used_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, holder, holder_id, operation, unit),
  CONSTRAINT daily_use_is_within_limit CHECK (used <= daily)
);
CREATE INDEX daily_use_oldest ON daily_use (used_at);
`;
