import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits for the next payout is summed for every look at it: the index alone says it. */
export class WaitingSums1765300000000 implements MigrationInterface {
  readonly name = 'WaitingSums1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payout_lines_waiting;
      CREATE INDEX payout_lines_waiting ON payout_lines (account_id, live, currency, seq)
        INCLUDE (kind, amount) WHERE payout_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payout_lines_waiting;
      CREATE INDEX payout_lines_waiting ON payout_lines (account_id, live, currency, seq)
        WHERE payout_id IS NULL;
    `);
  }
}
