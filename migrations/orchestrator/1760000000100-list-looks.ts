import type { MigrationInterface, QueryRunner } from 'typeorm';

const TASKS = ['payouts', 'payout', 'lines', 'disputes', 'reconcile'];
const LOOKS = ['payments', 'refunds'];

const checkKinds = (kinds: readonly string[]): string => `
  ALTER TABLE account_tasks
    DROP CONSTRAINT account_tasks_kind_check,
    ADD CONSTRAINT account_tasks_kind_check
        CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** An account's lists of payments and refunds are looked through, as that of disputes is. */
export class ListLooks1760000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checkKinds([...TASKS, ...LOOKS]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM account_tasks WHERE kind = ANY ($1)', [LOOKS]);
    await runner.query(checkKinds(TASKS));
  }
}
