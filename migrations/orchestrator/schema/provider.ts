/** Requests to the provider: their rate limits, and the log of requests and responses. */
export const PROVIDER = `
-- Calls that may still be made in the background with a key, over all workers. Database time.
CREATE TABLE provider_budgets (
  key_digest     text             PRIMARY KEY,
  calls_left     double precision NOT NULL,
  refilled_at    timestamptz      NOT NULL,
  blocked_until  timestamptz
);

-- Each request to the provider and its answer, redacted; kept for some days. reference: our own id,
-- where the provider shows it.
CREATE TABLE api_requests (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at           timestamptz NOT NULL,
  method       text        NOT NULL,
  path         text        NOT NULL,
  object_id    text,
  reference    text,
  request      json,
  status       smallint,
  answer       json,
  failure      text,
  duration_ms  integer     NOT NULL,
  -- A timeline is in the order of business time, which in development is not the wall's.
  business_at  timestamptz
);
CREATE INDEX api_requests_by_age ON api_requests (at);
CREATE INDEX api_requests_of_object ON api_requests (object_id, at DESC);
CREATE INDEX api_requests_of_reference ON api_requests (reference, at DESC);
`;
