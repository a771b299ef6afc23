import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Debits that a restore has lost, and of which accounts they are still to be read. */
export class LostDebits1760000000510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Accounts whose payments of the lost time are to be listed: until then they debit no mandate.
      -- next_start: from where in the list, newest first, the next page begins.
      CREATE TABLE lost_debit_reads (
        account_id     text        PRIMARY KEY,
        lost_since     timestamptz NOT NULL,
        next_start     integer     NOT NULL DEFAULT 0,
        claimed_until  timestamptz
      );

      -- Debits that the provider made in the lost time for payments that the log does not know.
      -- other_than: payments that do not ask for the same debit again, as a person has said.
      CREATE TABLE lost_debits (
        attempt_id    text   PRIMARY KEY,
        account_id    text   NOT NULL,
        mandate_id    text   NOT NULL,
        amount_minor  bigint NOT NULL,
        currency      text   NOT NULL,
        created_at    timestamptz NOT NULL,
        other_than    text[] NOT NULL DEFAULT '{}'
      );
      CREATE INDEX lost_debits_of_mandate ON lost_debits (account_id, mandate_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lost_debits, lost_debit_reads');
  }
}
