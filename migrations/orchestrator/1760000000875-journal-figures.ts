import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first index is for figures that sum up the entries of all accounts in a period by kind. It
 * contains the columns that are summed up, so that only the index is read. The second index is for
 * the list of entries, newest first.
 */
const journalIndexes = (journal: string): string => `
CREATE INDEX ${journal}_by_kind ON ${journal} (kind, at DESC, event_id DESC)
  INCLUDE (currency, account_id, platform_id, amount_minor);
CREATE INDEX ${journal}_all_newest ON ${journal} (at DESC, event_id DESC);
`;

/**
 * The indexes from which the console's money page computes its figures about the ledger. They are
 * created in a separate transaction, so that the projection of payments does not wait for them.
 */
export class JournalFigures1760000000875 implements MigrationInterface {
  readonly name = 'JournalFigures1760000000875';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(journalIndexes('ledger_journal'));
    // A rebuild of the ledger may be in progress: its journal gets the same indexes.
    await runner.query(`
      DO $$ BEGIN
        IF to_regclass('ledger_journal_rebuild') IS NOT NULL THEN
          ${journalIndexes('ledger_journal_rebuild')}
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS ledger_journal_by_kind, ledger_journal_all_newest');
  }
}
