import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores every direct debit of a subscription that may still be returned; before, only one payment
 * was stored. The column of that payment may be missing, if a database of an older release has this
 * schema already.
 */
export class DebitsOfSubscriptions1766510000000 implements MigrationInterface {
  readonly name = 'DebitsOfSubscriptions1766510000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS debit_ids text[] NOT NULL DEFAULT '{}',
        ADD COLUMN IF NOT EXISTS payment_id text;
      UPDATE subscriptions SET debit_ids = ARRAY[payment_id] WHERE payment_id IS NOT NULL;
      ALTER TABLE subscriptions DROP COLUMN payment_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscriptions ADD COLUMN payment_id text REFERENCES payments;
      UPDATE subscriptions SET payment_id = debit_ids[1];
      ALTER TABLE subscriptions DROP COLUMN debit_ids;
    `);
  }
}
