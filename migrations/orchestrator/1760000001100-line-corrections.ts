import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The current journal, and the journal of a rebuild, which will replace it: both get the check. */
const JOURNALS = ['ledger_journal', 'ledger_journal_rebuild'];

const kinds = (journal: string, corrections: string): string => `
  ALTER TABLE IF EXISTS ${journal}
    DROP CONSTRAINT ledger_journal_kind_check,
    ADD CONSTRAINT ledger_journal_kind_check CHECK (kind IN (
      'payment', 'refund', 'dispute', 'dispute_reversal', 'payout', 'payout_failed'
      ${corrections})) NOT VALID`;

const CORRECTIONS = `, 'payment_correction', 'refund_correction', 'dispute_correction',
      'dispute_reversal_correction'`;

/**
 * The entries of `PayoutFeeCorrected`, an event of unreleased versions. They are found by the
 * journal's index, and the events only by reading the whole log.
 */
const OLD_CORRECTIONS = `
  SELECT EXISTS (SELECT FROM ledger_journal WHERE kind = 'fee_correction') AS exists`;

/**
 * Lines of payments that are not ours had no id, so a payment that a later payout contained again
 * was not recognised. The statement reads the whole table, but locks only the rows of such lines,
 * which only a read of their payout writes.
 */
const RECOGNISABLE = 'UPDATE payout_lines SET journal_id = object_id WHERE journal_id IS NULL';

const NOT_RECOGNISABLE = `
  UPDATE payout_lines SET journal_id = NULL WHERE kind = 'payment' AND payment_id IS NULL`;

/**
 * Allows corrections of the amounts of payout lines in the journal. The new check is not validated
 * for existing rows, because the old, narrower check accepted them, and a validation would block the
 * ledger while it reads them.
 */
export class LineCorrections1760000001100 implements MigrationInterface {
  readonly name = 'LineCorrections1760000001100';

  async up(runner: QueryRunner): Promise<void> {
    const [{ exists }] = (await runner.query(OLD_CORRECTIONS)) as [{ exists: boolean }];
    if (exists) {
      throw new Error(
        'this database has events PayoutFeeCorrected of an unreleased version, which this release ' +
          'cannot read: use a new database',
      );
    }
    // First, because a change of the journal's check blocks the ledger until the commit.
    await runner.query(RECOGNISABLE);
    for (const journal of JOURNALS) await runner.query(kinds(journal, CORRECTIONS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(NOT_RECOGNISABLE);
    for (const journal of JOURNALS) await runner.query(kinds(journal, ''));
  }
}
