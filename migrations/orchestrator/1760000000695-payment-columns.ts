import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REBUILDS } from './schema/rebuilds.js';

/**
 * Functions that begin and end the rebuild of a read model. A process of an older release does not
 * know all columns of the table. It gets an error that each release retries (a SQLSTATE outside the
 * classes 22, 23 and 42), so the request for the rebuild stays open until a newer process takes it.
 * @see docs/adr/0039-a-process-rebuilds-only-lists-whose-columns-it-writes.md
 */
const FUNCTIONS = `
-- columns: the columns that processes of 0.2.0 write, which do not name their columns; null
-- for a table that 0.2.0 does not have.
ALTER TABLE rebuildable_tables ADD COLUMN columns text[];
UPDATE rebuildable_tables t
   SET columns = (SELECT array_agg(attname::text) FROM pg_attribute
                   WHERE attrelid = to_regclass(t.name) AND attnum > 0 AND NOT attisdropped);

-- columns: all columns that the process writes, each as table.column.
CREATE FUNCTION begin_rebuild_of_columns(tables text[], columns text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  one text;
  side text;
  held record;
  unwritten text;
BEGIN
  FOREACH one IN ARRAY tables LOOP
    IF NOT EXISTS (SELECT FROM rebuildable_tables t WHERE t.name = one) THEN
      RAISE EXCEPTION 'the table % is not rebuilt: a migration adds it to rebuildable_tables', one;
    END IF;
    SELECT string_agg(attname, ', ' ORDER BY attnum) INTO unwritten FROM pg_attribute
     WHERE attrelid = one::regclass AND attnum > 0 AND NOT attisdropped
       AND one || '.' || attname <> ALL (begin_rebuild_of_columns.columns);
    IF unwritten IS NOT NULL THEN
      RAISE EXCEPTION '% is rebuilt by a process of a newer release: this one does not write %',
        one, unwritten;
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

-- Only processes of 0.2.0 call this function.
CREATE OR REPLACE FUNCTION begin_rebuild(tables text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM begin_rebuild_of_columns(tables, coalesce(
    (SELECT array_agg(t.name || '.' || written)
       FROM rebuildable_tables t CROSS JOIN unnest(t.columns) written
      WHERE t.name = ANY (tables)), '{}'));
END
$$;
`;

/** @see apps/worker/projections/take-over.ts */
const TAKE_OVER = `
-- The columns that the process running the projection writes, and the token of its lease. Processes
-- of 0.2.0 write no row.
CREATE TABLE projection_writers (
  projection  text    PRIMARY KEY,
  token       bigint  NOT NULL,
  columns     text[]  NOT NULL
);

-- lease_token: each process that takes the lease has the next number. written: a JSON array of
-- {projection, columns}.
CREATE FUNCTION take_over_projections(lease_token bigint, written jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  one record;
  before text[];
BEGIN
  FOR one IN SELECT * FROM jsonb_to_recordset(written) AS w(projection text, columns text[]) LOOP
    SELECT w.columns INTO before FROM projection_writers w
     WHERE w.projection = one.projection AND w.token = lease_token - 1;
    IF before IS NULL THEN
      SELECT array_agg(t.name || '.' || of_last_release) INTO before
        FROM rebuildable_tables t CROSS JOIN unnest(t.columns) of_last_release;
    END IF;
    IF lease_token > 1 AND NOT one.columns <@ before AND EXISTS (SELECT FROM events) THEN
      INSERT INTO projection_rebuilds (projection) VALUES (one.projection)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
    END IF;
    INSERT INTO projection_writers VALUES (one.projection, lease_token, one.columns)
    ON CONFLICT (projection) DO UPDATE SET token = excluded.token, columns = excluded.columns;
  END LOOP;
END
$$;
`;

/** Adding these columns rewrites no rows, so the list is locked only for a short time. */
const COLUMNS = `
ALTER TABLE payment_list
  ADD COLUMN rejected_captures text[] NOT NULL DEFAULT '{}',
  ADD COLUMN last_four text,
  -- Refunds that failed, until the payer has the money or an approver decides that none is owed.
  ADD COLUMN owed_refunds jsonb NOT NULL DEFAULT '[]',
  -- When the authorization expires, if this is soon.
  ADD COLUMN lapses_at timestamptz,
  ADD COLUMN authorized_at timestamptz,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN declined_at timestamptz,
  ADD COLUMN decline_code text,
  ADD COLUMN accepted_minor bigint NOT NULL DEFAULT 0;
`;

/**
 * Drops the table of a rebuild in progress, so that this rebuild fails. Then requests the rebuild
 * again, because a worker may just have completed a rebuild without the new columns.
 */
const REQUEST = `
DROP TABLE IF EXISTS payment_list_rebuild;
UPDATE projection_rebuilds
   SET ended_at = clock_timestamp(), failure = 'requested again by the migration'
 WHERE projection = 'payment_list' AND ended_at IS NULL;
INSERT INTO projection_rebuilds (projection)
SELECT 'payment_list' WHERE EXISTS (SELECT FROM events);
`;

/**
 * Adds columns to the list of payments. A rebuild fills them; a process that does not write all
 * columns, such as one of release 0.2.0, may not execute the rebuild. Later migrations create the
 * indexes of the columns: in this migration, the list would stay locked, also for reading, until
 * the indexes are complete.
 */
export class PaymentColumns1760000000695 implements MigrationInterface {
  readonly name = 'PaymentColumns1760000000695';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    await runner.query(TAKE_OVER);
    await runner.query(COLUMNS);
    await runner.query(REQUEST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_list
        DROP COLUMN rejected_captures, DROP COLUMN last_four, DROP COLUMN owed_refunds,
        DROP COLUMN lapses_at, DROP COLUMN authorized_at, DROP COLUMN expires_at,
        DROP COLUMN declined_at, DROP COLUMN decline_code, DROP COLUMN accepted_minor;
      DROP FUNCTION begin_rebuild_of_columns, take_over_projections;
      DROP TABLE projection_writers;
      ALTER TABLE rebuildable_tables DROP COLUMN columns`);
    const [, begin = ''] = /CREATE (FUNCTION begin_rebuild.*?\n\$\$;)/s.exec(REBUILDS) ?? [];
    await runner.query(`CREATE OR REPLACE ${begin}`);
  }
}
