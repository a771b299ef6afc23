import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists tell what went back of an order: it stays paid. */
export class OrderMoneyBack1760000000240 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- taken_back_minor: by chargebacks, returned debits and payments that never came.
      ALTER TABLE order_list ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0,
                             ADD COLUMN taken_back_minor bigint NOT NULL DEFAULT 0;

      -- What went back before is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'order_list' WHERE EXISTS (SELECT FROM order_list)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE order_list DROP COLUMN refunded_minor, DROP COLUMN taken_back_minor');
  }
}
