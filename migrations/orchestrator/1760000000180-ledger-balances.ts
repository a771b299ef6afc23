import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUMS = ['payer', 'provider', 'merchant', 'fees', 'vat', 'disputes']
  .map((account) => `${account}_minor`);

/** A balance is one row, and not the sum of all that was ever booked. */
export class LedgerBalances1760000000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_balances (
        platform_id  text NOT NULL,
        account_id   text NOT NULL,
        currency     text NOT NULL,
        ${SUMS.map((column) => `${column} bigint NOT NULL`).join(', ')},
        PRIMARY KEY (platform_id, account_id, currency),
        CONSTRAINT ledger_balances_balance CHECK (${SUMS.join(' + ')} = 0)
      );
      INSERT INTO ledger_balances
      SELECT platform_id, account_id, currency, ${SUMS.map((sum) => `sum(${sum})`).join(', ')}
        FROM ledger_journal GROUP BY platform_id, account_id, currency;

      -- What a worker of the version before books meanwhile is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'ledger_streams' WHERE EXISTS (SELECT FROM ledger_journal)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;

      -- It was for adding up; in a ledger that was rebuilt it has another name.
      DROP INDEX IF EXISTS ledger_journal_of_platform;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ledger_journal_of_platform ON ledger_journal (platform_id, account_id, currency)
        INCLUDE (${SUMS.join(', ')});
      DROP TABLE ledger_balances;
    `);
  }
}
