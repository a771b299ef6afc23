import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The morning at which a line joins a payout. Null: it is in one, or it was carried because its
 * day's amount was not positive, and goes with the next line that falls due.
 */
export class PayoutDays1764300000000 implements MigrationInterface {
  readonly name = 'PayoutDays1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_lines ADD COLUMN due_at timestamptz;
      CREATE INDEX payout_lines_due ON payout_lines (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX payout_lines_of_payment ON payout_lines (payment_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payout_lines_of_payment;
      ALTER TABLE payout_lines DROP COLUMN due_at;
    `);
  }
}
