import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to the payment list a column with the captures that the provider rejected. The column
 * contains only rejections after the migration; earlier rejections are in the log.
 */
export class RejectedCaptures1760000000700 implements MigrationInterface {
  readonly name = 'RejectedCaptures1760000000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_list ADD COLUMN rejected_captures text[] NOT NULL DEFAULT '{}';
      CREATE INDEX payment_list_rejected_captures
          ON payment_list (requested_at DESC, payment_id DESC) WHERE rejected_captures <> '{}';
      -- A rebuild that is under way begins anew.
      DROP TABLE IF EXISTS payment_list_rebuild;
      INSERT INTO projection_rebuilds (projection)
      SELECT 'payment_list' WHERE EXISTS (SELECT FROM events)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_list DROP COLUMN rejected_captures');
  }
}
