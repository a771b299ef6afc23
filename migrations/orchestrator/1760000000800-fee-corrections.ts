import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The current journal, and the journal of a rebuild that a worker of the previous release may be
 * executing. The second journal will replace the first, so both get the same check.
 */
const JOURNALS = ['ledger_journal', 'ledger_journal_rebuild'];

const kinds = (journal: string, more: string): string => `
  ALTER TABLE IF EXISTS ${journal}
    DROP CONSTRAINT ledger_journal_kind_check,
    ADD CONSTRAINT ledger_journal_kind_check CHECK (kind IN (
      'payment', 'refund', 'dispute', 'dispute_reversal', 'payout', 'payout_failed'${more})) NOT VALID`;

/**
 * Allows corrections of fees in the journal. The new check is not validated for existing rows,
 * because the old, narrower check accepted them, and a validation would block the ledger while it
 * reads them.
 */
export class FeeCorrections1760000000800 implements MigrationInterface {
  readonly name = 'FeeCorrections1760000000800';

  async up(runner: QueryRunner): Promise<void> {
    for (const journal of JOURNALS) await runner.query(kinds(journal, ", 'fee_correction'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const journal of JOURNALS) await runner.query(kinds(journal, ''));
  }
}
