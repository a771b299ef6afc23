import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much of what somebody asks for, for the list of what waits for a second person. */
export class AdminAbout1760000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE admin_actions ADD COLUMN about jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE admin_actions DROP COLUMN about');
  }
}
