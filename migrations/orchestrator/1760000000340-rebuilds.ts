import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A list is rebuilt beside the one in use and put in its place. That makes and drops tables, which
 * is their owner's to do and not an app's: so two functions of the owner do it, for the tables that
 * are named here and no other.
 */
export class Rebuilds1760000000340 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rebuildable_tables (name text PRIMARY KEY);
      INSERT INTO rebuildable_tables VALUES
        ('ledger_streams'), ('ledger_journal'), ('ledger_balances'), ('mandate_use'),
        ('merchant_exceptions'), ('merchant_list'), ('order_list'), ('payment_list'),
        ('payout_list');

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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION begin_rebuild, end_rebuild;
      DROP TABLE rebuildable_tables;
    `);
  }
}
