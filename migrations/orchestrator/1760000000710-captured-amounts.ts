import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [['payment_list', 'captured_minor'], ['order_list', 'paid_minor']] as const;

/** The lists of payments and orders show how much was captured. */
export class CapturedAmounts1760000000710 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [list, column] of COLUMNS) {
      // The second stands where a rebuild is under way.
      for (const table of [list, `${list}_rebuild`]) {
        await runner.query(
          `ALTER TABLE IF EXISTS ${table} ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
      }
      // What was captured before is in the log.
      await runner.query(`
        INSERT INTO projection_rebuilds (projection)
        SELECT '${list}' WHERE EXISTS (SELECT FROM ${list})
        ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`);
    }
    await runner.query(`
      CREATE INDEX payment_list_captured_in_part ON payment_list (requested_at DESC, payment_id DESC)
       WHERE captured_minor > 0 AND captured_minor < amount_minor`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [list, column] of COLUMNS) {
      for (const table of [list, `${list}_rebuild`]) {
        await runner.query(`ALTER TABLE IF EXISTS ${table} DROP COLUMN ${column}`);
      }
    }
  }
}
