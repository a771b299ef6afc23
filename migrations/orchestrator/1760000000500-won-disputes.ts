import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'];

const TABLES = [
  { table: 'ledger_journal', column: 'kind', more: ['payout', 'payout_failed'] },
  // Where a rebuild is under way: it has the constraint of the one it will replace.
  { table: 'ledger_journal_rebuild', column: 'kind', more: ['payout', 'payout_failed'] },
  { table: 'payout_lines', column: 'kind', more: [] },
  { table: 'reconciliation_exceptions', column: 'line_kind', more: ['payout'] },
] as const;

/** Not compared with what stands in a table: nobody could read it meanwhile, and it is as it was. */
const allow = async (runner: QueryRunner, kinds: readonly string[]): Promise<void> => {
  for (const { table, column, more } of TABLES) {
    const names = [...kinds, ...more].map((name) => `'${name}'`).join(', ');
    const constraint = `${table.replace('_rebuild', '')}_${column}_check`;
    await runner.query(`
      ALTER TABLE IF EXISTS ${table} DROP CONSTRAINT ${constraint},
        ADD CONSTRAINT ${constraint} CHECK (${column} IN (${names})) NOT VALID`);
  }
};

/**
 * A dispute that was won gives its amount back: by a line of its own, a booking and, where these
 * differ, an exception. So far such a line stood as a dispute of a negative amount, for a person;
 * the payments of disputes known as won are read once more, which books them.
 */
export class WonDisputes1760000000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await allow(runner, KINDS);
    await runner.query(`
      -- Compared as what it is, the line has none of these differences any more.
      UPDATE reconciliation_exceptions x SET line_kind = 'dispute_reversal'
        FROM payout_lines l
       WHERE l.payout_id = x.payout_id AND l.object_id = x.object_id AND l.kind = 'dispute'
         AND x.line_kind = 'dispute' AND l.amount_minor < 0;
      UPDATE payout_lines SET kind = 'dispute_reversal', amount_minor = -amount_minor
       WHERE kind = 'dispute' AND amount_minor < 0;

      INSERT INTO deadlines (kind, key, due_at)
      SELECT 'payment.read', p.payment_id, clock_timestamp()
        FROM payment_list p
       WHERE p.disputed AND EXISTS (
         SELECT FROM events e
          WHERE e.stream_type = 'payment' AND e.stream_id = p.payment_id
            AND e.type = 'DisputeMoved' AND e.data ->> 'status' = 'won')
          ON CONFLICT DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM reconciliation_exceptions WHERE line_kind = 'dispute_reversal';
      UPDATE payout_lines l SET kind = 'dispute', amount_minor = -amount_minor
       WHERE kind = 'dispute_reversal'
         AND NOT EXISTS (SELECT FROM payout_lines o
                          WHERE o.payout_id = l.payout_id AND o.object_id = l.object_id
                            AND o.kind = 'dispute');
      DELETE FROM payout_lines WHERE kind = 'dispute_reversal';
      DELETE FROM ledger_journal WHERE kind = 'dispute_reversal';
      DO $$ BEGIN
        IF to_regclass('ledger_journal_rebuild') IS NOT NULL THEN
          DELETE FROM ledger_journal_rebuild WHERE kind = 'dispute_reversal';
        END IF;
      END $$;
      INSERT INTO projection_rebuilds (projection) VALUES ('ledger_streams')
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
    `);
    await allow(runner, KINDS.slice(0, 3));
  }
}
