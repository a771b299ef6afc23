import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A provider's key is one account's: what it reads is one platform's. */
export class OneAccountAKey1760000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- SHA-256 of the key; of older accounts it is filled before the next one is registered.
      ALTER TABLE provider_accounts ADD COLUMN api_key_digest bytea
        CONSTRAINT provider_accounts_of_key UNIQUE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_accounts DROP COLUMN api_key_digest');
  }
}
