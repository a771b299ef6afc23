import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Browsers in which a user of the console has signed in: guessing from elsewhere does not keep the
 * user out of these.
 */
export class KnownBrowsers1760000000330 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin_known_browsers (
        token_hash  bytea       PRIMARY KEY,
        user_id     text        NOT NULL REFERENCES admin_users,
        used_at     timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX admin_known_browsers_of_user ON admin_known_browsers (user_id, used_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin_known_browsers');
  }
}
