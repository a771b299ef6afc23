import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The filters and sort orders that console users have saved under a name. */
export class SavedViews1760000000890 implements MigrationInterface {
  readonly name = 'SavedViews1760000000890';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE admin_saved_views (
  id         text         PRIMARY KEY,
  list       text         NOT NULL,
  name       text         NOT NULL,
  -- The query string of the list's page.
  query      text         NOT NULL,
  owner_id   text         NOT NULL REFERENCES admin_users,
  -- Whether every console user sees the view.
  shared     boolean      NOT NULL,
  -- Wall time.
  created_at timestamptz  NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (owner_id, list, name)
)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin_saved_views');
  }
}
