import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Merchants whose company contradicts itself wait for a person; orphans of details are swept. */
export class MerchantMismatches1760000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE merchant_exceptions
        ADD COLUMN mismatches       text[] NOT NULL DEFAULT '{}',
        ADD COLUMN mismatched_since timestamptz;
      DROP INDEX IF EXISTS merchant_exceptions_open;
      CREATE INDEX merchant_exceptions_waiting ON merchant_exceptions (merchant_id)
       WHERE silent_since IS NOT NULL OR unknown_since IS NOT NULL OR mismatched_since IS NOT NULL;

      -- What was told before is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'merchant_exceptions' WHERE EXISTS (SELECT FROM merchant_exceptions)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;

      CREATE INDEX merchant_details_by_age ON merchant_details (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX merchant_details_by_age;
      DROP INDEX IF EXISTS merchant_exceptions_waiting;
      ALTER TABLE merchant_exceptions DROP COLUMN mismatches, DROP COLUMN mismatched_since;
      CREATE INDEX merchant_exceptions_open ON merchant_exceptions (merchant_id)
       WHERE silent_since IS NOT NULL OR unknown_since IS NOT NULL;
    `);
  }
}
