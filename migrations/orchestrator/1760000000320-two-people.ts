import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings that decide who may move money wait for a second person, as what moves it does. */
export class TwoPeople1760000000320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- requested_by: a user's id, or platform:<id> key:<prefix>.
      -- private: what begins with the approval and is for nobody to read. Erased with the end.
      ALTER TABLE admin_actions
        DROP CONSTRAINT admin_actions_requested_by_fkey,
        ADD COLUMN private jsonb;

      -- One row: a production process was started on this database.
      CREATE TABLE production_marks (
        is_marked  boolean     PRIMARY KEY DEFAULT true CHECK (is_marked),
        marked_at  timestamptz NOT NULL DEFAULT clock_timestamp()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE production_marks;
      DELETE FROM admin_actions WHERE requested_by NOT IN (SELECT id FROM admin_users);
      ALTER TABLE admin_actions
        DROP COLUMN private,
        ADD CONSTRAINT admin_actions_requested_by_fkey
          FOREIGN KEY (requested_by) REFERENCES admin_users;
    `);
  }
}
