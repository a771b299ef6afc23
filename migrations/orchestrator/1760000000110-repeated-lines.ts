import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payout may list one payment, refund or dispute more than once: its line says how often. */
export class RepeatedLines1760000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Where in the list it stood, when the list was read for the pass-th time.
      ALTER TABLE payout_lines
        ADD COLUMN pass   integer   NOT NULL DEFAULT 0,
        ADD COLUMN places integer[] NOT NULL DEFAULT '{0}',
        ADD COLUMN times  integer   GENERATED ALWAYS AS (cardinality(places)) STORED;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE payout_lines DROP COLUMN times, DROP COLUMN places, DROP COLUMN pass');
  }
}
