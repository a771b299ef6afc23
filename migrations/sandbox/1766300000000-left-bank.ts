import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores when a payer left the bank's page without a decision. */
export class LeftBank1766300000000 implements MigrationInterface {
  readonly name = 'LeftBank1766300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments ADD COLUMN IF NOT EXISTS auth_left_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments DROP COLUMN auth_left_at');
  }
}
