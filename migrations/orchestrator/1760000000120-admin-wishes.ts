import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of equal wishes one is open at a time. */
export class AdminWishes1760000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_actions
        DROP CONSTRAINT admin_actions_status_check,
        ADD CONSTRAINT admin_actions_status_check CHECK (
          status IN ('pending', 'executing', 'done', 'failed', 'rejected', 'expired'));

      -- Those that waited too long, or beside an equal one, are over.
      UPDATE admin_actions SET status = 'expired', ended_at = expires_at
       WHERE status = 'pending' AND expires_at <= now();
      UPDATE admin_actions SET ended_at = now(),
             status = CASE status WHEN 'executing' THEN 'failed' ELSE 'expired' END,
             outcome = '{"code": "already_asked", "message": "an equal wish was open"}'
       WHERE id IN (
         SELECT id FROM (
           SELECT id, row_number() OVER (
                    PARTITION BY kind, target ORDER BY status, requested_at, id) AS place
             FROM admin_actions WHERE status IN ('pending', 'executing')) AS o
          WHERE place > 1);
      CREATE UNIQUE INDEX admin_actions_once ON admin_actions (kind, target)
       WHERE status IN ('pending', 'executing');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX admin_actions_once;
      UPDATE admin_actions SET status = 'pending' WHERE status = 'expired';
      ALTER TABLE admin_actions
        DROP CONSTRAINT admin_actions_status_check,
        ADD CONSTRAINT admin_actions_status_check CHECK (
          status IN ('pending', 'executing', 'done', 'failed', 'rejected'));
    `);
  }
}
