import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYMENTS = `
ALTER TABLE payment_list
  ADD COLUMN authorized_at timestamptz,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN declined_at timestamptz,
  ADD COLUMN decline_code text,
  ADD COLUMN accepted_minor bigint NOT NULL DEFAULT 0;
CREATE INDEX payment_list_authorized ON payment_list (authorized_at DESC)
  INCLUDE (currency, account_id, platform_id, amount_minor, captured_minor, accepted_minor)
 WHERE authorized_at IS NOT NULL;
CREATE INDEX payment_list_declined ON payment_list (declined_at DESC)
  INCLUDE (currency, account_id, platform_id, decline_code, authorized_at)
 WHERE declined_at IS NOT NULL;
CREATE INDEX payment_list_by_decline_code
    ON payment_list (coalesce(decline_code, 'none'), requested_at DESC, payment_id DESC)
 WHERE declined_at IS NOT NULL;
CREATE INDEX payment_list_expiring ON payment_list (expires_at)
  INCLUDE (currency, account_id, platform_id, amount_minor) WHERE status = 'authorized';
`;

/**
 * The figures of a period sum up entries of all accounts by kind; the list of entries reads them by
 * time. The columns of the sums are in the index, so that only the index is read.
 */
const journalIndexes = (journal: string): string => `
CREATE INDEX ${journal}_by_kind ON ${journal} (kind, at DESC, event_id DESC)
  INCLUDE (currency, account_id, platform_id, amount_minor);
CREATE INDEX ${journal}_all_newest ON ${journal} (at DESC, event_id DESC);
`;

/**
 * Adds what the figures of the money page are computed from. The columns of earlier payments are
 * filled by a rebuild of the list.
 */
export class MoneyFigures1760000000870 implements MigrationInterface {
  readonly name = 'MoneyFigures1760000000870';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYMENTS);
    await runner.query(journalIndexes('ledger_journal'));
    // A rebuild of the ledger that is in progress goes on: what it builds has the same indexes.
    await runner.query(`
      DO $$ BEGIN
        IF to_regclass('ledger_journal_rebuild') IS NOT NULL THEN
          ${journalIndexes('ledger_journal_rebuild')}
        END IF;
      END $$;
      -- A rebuild of the list that is in progress begins anew.
      DROP TABLE IF EXISTS payment_list_rebuild;
      INSERT INTO projection_rebuilds (projection)
      SELECT 'payment_list' WHERE EXISTS (SELECT FROM events)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_list
        DROP COLUMN authorized_at, DROP COLUMN expires_at,
        DROP COLUMN declined_at, DROP COLUMN decline_code, DROP COLUMN accepted_minor;
      DROP INDEX IF EXISTS ledger_journal_by_kind, ledger_journal_all_newest`);
  }
}
