/**
 * A list is rebuilt in a new table, which then replaces the current table. Apps may not create or
 * drop tables, so two functions with the rights of the owner do this, and only for the tables that
 * are named here.
 */
export const REBUILDS = `
-- A worker rebuilds what is asked for here, and writes how far it is.
CREATE TABLE projection_rebuilds (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  projection    text        NOT NULL,
  requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at    timestamptz,
  events        bigint      NOT NULL DEFAULT 0,
  ended_at      timestamptz,
  failure       text
);
CREATE UNIQUE INDEX projection_rebuilds_open ON projection_rebuilds (projection)
 WHERE ended_at IS NULL;

CREATE TABLE rebuildable_tables (name text PRIMARY KEY);
INSERT INTO rebuildable_tables VALUES
  ('ledger_streams'), ('ledger_journal'), ('ledger_balances'), ('mandate_use'),
  ('merchant_attention'), ('merchant_list'), ('order_list'), ('payment_list'), ('refund_list'),
  ('dispute_list'), ('payout_list');

CREATE FUNCTION begin_rebuild(tables text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one text;
  side text;
  held record;
BEGIN
  FOREACH one IN ARRAY tables LOOP
    IF NOT EXISTS (SELECT FROM rebuildable_tables t WHERE t.name = one) THEN
      RAISE EXCEPTION 'the table % is not rebuilt: a migration adds it to rebuildable_tables', one;
    END IF;
    side := one || '_rebuild';
    EXECUTE format('DROP TABLE IF EXISTS %I', side);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', side, one);
    FOR held IN
      SELECT a.grantee::regrole AS role, a.privilege_type AS privilege
        FROM pg_class c, aclexplode(c.relacl) a
       WHERE c.oid = one::regclass AND a.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT %s ON %I TO %s', held.privilege, side, held.role);
    END LOOP;
  END LOOP;
END
$$;

-- Each table is locked first, as the projector's statement does it: it then waits with empty
-- hands, and goes on from the cursor that the new table came with.
CREATE FUNCTION end_rebuild(tables text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY tables LOOP
    IF NOT EXISTS (SELECT FROM rebuildable_tables t WHERE t.name = one) THEN
      RAISE EXCEPTION 'the table % is not rebuilt: a migration adds it to rebuildable_tables', one;
    END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', one);
    EXECUTE format('DROP TABLE %I', one);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', one || '_rebuild', one);
  END LOOP;
END
$$;
`;
