import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of authorized payments, newest first. It contains the expiry, so that the list of
 * payments whose authorization expires before an instant reads no other rows of the table. While
 * the index is created, the list of payments can be read, and its projection waits.
 */
export class LapsingPayments1760000000970 implements MigrationInterface {
  readonly name = 'LapsingPayments1760000000970';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payment_list_authorized_newest
          ON payment_list (requested_at DESC, payment_id DESC, expires_at)
       WHERE status = 'authorized'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payment_list_authorized_newest');
  }
}
