import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stood in a payout that failed is expected anew from the day on which that was learnt. */
export class FailedPayouts1760000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_list ADD COLUMN failed_on date;

      -- What has failed before is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'payout_list' WHERE EXISTS (SELECT FROM payout_list)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payout_list DROP COLUMN failed_on');
  }
}
