import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A posting of money that came in names its capture (`cap_…`); null for all others, and for those
 * booked before, whose capture follows from the payment's id: to write them would hold the journal.
 */
export class CapturesOfTheLedger1760000000660 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The second stands where a rebuild is under way.
    for (const table of ['ledger_journal', 'ledger_journal_rebuild']) {
      await runner.query(`ALTER TABLE IF EXISTS ${table} ADD COLUMN capture_id text`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['ledger_journal', 'ledger_journal_rebuild']) {
      await runner.query(`ALTER TABLE IF EXISTS ${table} DROP COLUMN capture_id`);
    }
  }
}
