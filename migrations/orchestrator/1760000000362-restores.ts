import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tells that the log was restored, and what must be read before money moves again. */
export class Restores1760000000362 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The server, its timeline and the table itself: a restore changes one of them at least.
      ALTER TABLE log_identity ADD COLUMN incarnation text;
      UPDATE log_identity i
         SET incarnation = i.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
                           || '/' || 'events'::regclass::oid;

      -- lost_since: business time of the newest event that was left. began_at: business time at
      -- which the first process went on; what the provider shows of between them may be of ours.
      CREATE TABLE log_restores (
        id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lost_since  timestamptz NOT NULL,
        began_at    timestamptz
      );

      -- Payments to be read since a restore: while an account has one, none of its calls is made.
      CREATE TABLE restore_reads (
        payment_id     text PRIMARY KEY,
        account_id     text NOT NULL,
        claimed_until  timestamptz
      );
      CREATE INDEX restore_reads_by_account ON restore_reads (account_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE restore_reads, log_restores;
      ALTER TABLE log_identity DROP COLUMN incarnation`);
  }
}
