import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of payments tells which refunds were not made and still wait for somebody. */
export class UnmadeRefunds1760000000480 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- unmade_minor: the amounts of these requests, in their order.
      ALTER TABLE payment_list ADD COLUMN unmade_refunds text[] NOT NULL DEFAULT '{}',
        ADD COLUMN unmade_minor bigint[] NOT NULL DEFAULT '{}';
      CREATE INDEX payment_list_unmade_refunds
          ON payment_list (requested_at DESC, payment_id DESC) WHERE unmade_refunds <> '{}';

      -- Which were not made before is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'payment_list' WHERE EXISTS (SELECT FROM payment_list)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_list DROP COLUMN unmade_refunds, DROP COLUMN unmade_minor');
  }
}
