import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contains only the corrections, which are few entries beside those of payments. */
const correctionIndex = (journal: string): string => `
  CREATE INDEX ${journal}_corrections ON ${journal} (account_id, stream_id, object_id)
   WHERE kind IN ('payment_correction', 'refund_correction', 'dispute_correction',
                  'dispute_reversal_correction')`;

/**
 * The index by which the corrections of a payout, or of all payouts of an account, are read without
 * the other entries. It is created in a separate transaction from the change of the journal's check,
 * so that nothing waits for both.
 */
export class CorrectionIndex1760000001110 implements MigrationInterface {
  readonly name = 'CorrectionIndex1760000001110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(correctionIndex('ledger_journal'));
    // A rebuild of the ledger may be in progress: its journal gets the same index.
    await runner.query(`
      DO $$ BEGIN
        IF to_regclass('ledger_journal_rebuild') IS NOT NULL THEN
          ${correctionIndex('ledger_journal_rebuild')};
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS ledger_journal_corrections');
  }
}
