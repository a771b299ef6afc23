import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may call us, and with which keys we call the provider. */
export class Access1760000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_keys (
        prefix       text        PRIMARY KEY,
        platform_id  text        NOT NULL,
        hash         bytea       NOT NULL,
        scopes       text[]      NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at   timestamptz,
        revoked_at   timestamptz
      );
      CREATE INDEX api_keys_by_platform ON api_keys (platform_id);

      -- Sealed columns are AES-256-GCM under the key of the environment that they name.
      CREATE TABLE provider_accounts (
        id                     text        PRIMARY KEY,
        platform_id            text        NOT NULL,
        merchant_id            text        NOT NULL,
        mode                   text        NOT NULL CHECK (mode IN ('test', 'live')),
        api_key_sealed         bytea       NOT NULL,
        webhook_endpoint_id    text,
        webhook_secret_sealed  bytea,
        created_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (platform_id, merchant_id, mode)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_accounts, api_keys');
  }
}
