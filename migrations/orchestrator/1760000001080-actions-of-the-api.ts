import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

const { api, admin, ops } = DATABASE_ROLES.orchestrator.apps;

/**
 * The api reads only the action requests that show whether a reconciliation break is being closed:
 * not what operators request about users, keys and limits. It is a policy and not a view, because
 * the processes of the previous release read the table.
 */
export class ActionsOfTheApi1760000001080 implements MigrationInterface {
  readonly name = 'ActionsOfTheApi1760000001080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_actions ENABLE ROW LEVEL SECURITY;
      CREATE POLICY open_closings ON admin_actions FOR SELECT TO ${api}
        USING (kind = 'close_exception' AND status IN ('pending', 'executing'));
      CREATE POLICY of_operators ON admin_actions TO ${admin}, ${ops} USING (true)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP POLICY open_closings ON admin_actions;
      DROP POLICY of_operators ON admin_actions;
      ALTER TABLE admin_actions DISABLE ROW LEVEL SECURITY`);
  }
}
