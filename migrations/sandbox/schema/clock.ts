/** The sandbox's settings, its clock, and the URLs that are notified when the clock moves. */
export const CLOCK = `
CREATE TABLE sandbox_settings (name text PRIMARY KEY, value text NOT NULL);

-- One row: at wall_at the clock showed sandbox_at; since then it runs at this rate.
CREATE TABLE sandbox_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sandbox_at timestamptz NOT NULL,
  wall_at timestamptz NOT NULL,
  rate double precision NOT NULL CHECK (rate > 0)
);

CREATE TABLE clock_followers (
  url text PRIMARY KEY,
  registered_wall_at timestamptz NOT NULL DEFAULT now()
);
`;
