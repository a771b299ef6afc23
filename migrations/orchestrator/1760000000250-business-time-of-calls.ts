import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A timeline is in the order of business time, which in development is not the wall's. */
export class BusinessTimeOfCalls1760000000250 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: kept by a release before.
      ALTER TABLE provider_calls ADD COLUMN business_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_calls DROP COLUMN business_at');
  }
}
