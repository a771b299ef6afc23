import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts of the ledger with few entries: a payout has one, its day's payments have none. */
const SPARSE = ['merchant', 'vat', 'disputes'];

/** Their entries and balances are read without passing over every payment. */
export class SparseLedgerAccounts1760000000170 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const account of SPARSE) {
      await runner.query(`
        CREATE INDEX ledger_journal_of_${account}
            ON ledger_journal (account_id, currency, at DESC, event_id DESC)
       INCLUDE (${account}_minor) WHERE ${account}_minor <> 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = SPARSE.map((account) => `ledger_journal_of_${account}`);
    await runner.query(`DROP INDEX ${names.join(', ')}`);
  }
}
