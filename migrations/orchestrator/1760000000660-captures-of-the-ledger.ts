import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A posting of money that came in names its capture (`cap_…`); null for all others. What was booked
 * before has the id that its history is read with: `cap_` and the text of the payment's id.
 */
export class CapturesOfTheLedger1760000000660 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The second stands where a rebuild is under way.
    for (const table of ['ledger_journal', 'ledger_journal_rebuild']) {
      await runner.query(`ALTER TABLE IF EXISTS ${table} ADD COLUMN capture_id text`);
    }
    await runner.query(`
      UPDATE ledger_journal SET capture_id = 'cap_' || substr(stream_id, length('pay_') + 1)
       WHERE kind = 'payment'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['ledger_journal', 'ledger_journal_rebuild']) {
      await runner.query(`ALTER TABLE IF EXISTS ${table} DROP COLUMN capture_id`);
    }
  }
}
