import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of the ledger entries that are `late`, or whose break as late an operator has closed. A
 * later payout that lacks such an entry makes the entry `missing`.
 */
export class LateBreaks1760000001010 implements MigrationInterface {
  readonly name = 'LateBreaks1760000001010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX reconciliation_exceptions_late ON reconciliation_exceptions (account_id)
       WHERE kind = 'late' AND line_kind <> 'payout' AND closed_by IS DISTINCT FROM 'facts'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX reconciliation_exceptions_late');
  }
}
