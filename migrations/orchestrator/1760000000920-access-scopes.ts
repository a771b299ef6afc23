import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The platforms and merchants to which console users are limited, and their limits by amount. */
export class AccessScopes1760000000920 implements MigrationInterface {
  readonly name = 'AccessScopes1760000000920';

  async up(runner: QueryRunner): Promise<void> {
    // scope: [{platformId, merchantId | null}]; empty: everything.
    // limits: [{currency, mostMinor}]; empty: any amount.
    await runner.query(`
ALTER TABLE admin_users
  ADD COLUMN scope  jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(scope) = 'array'),
  ADD COLUMN limits jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(limits) = 'array')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE admin_users DROP COLUMN limits, DROP COLUMN scope');
  }
}
