import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which provider an account is of, by the name of its adapter; until now there was one. */
export class AccountProviders1760000000650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE provider_accounts ADD COLUMN provider text NOT NULL DEFAULT 'hosted'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_accounts DROP COLUMN provider');
  }
}
