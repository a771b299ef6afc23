import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCESS } from './schema/access.js';
import { ACCOUNTS } from './schema/accounts.js';
import { ADMIN } from './schema/admin.js';
import { CLAIM_JOBS } from './schema/claim-jobs.js';
import { COMMIT_STEPS } from './schema/commit-steps.js';
import { JOBS } from './schema/jobs.js';
import { LEDGER } from './schema/ledger.js';
import { LISTS } from './schema/lists.js';
import { LOG } from './schema/log.js';
import { MERCHANTS } from './schema/merchants.js';
import { MESSAGING } from './schema/messaging.js';
import { PAYOUTS } from './schema/payouts.js';
import { PROVIDER } from './schema/provider.js';
import { REBUILDS } from './schema/rebuilds.js';
import { RESTORES } from './schema/restores.js';
import { SINCE_LAST_BEFORE } from './schema/since-last-before.js';
import { WEBHOOKS } from './schema/webhooks.js';

/**
 * The parts of the schema, in the order in which they are created: a type, view or trigger after
 * its table.
 */
const SCHEMA = [
  LOG,
  COMMIT_STEPS,
  RESTORES,
  MESSAGING,
  JOBS,
  CLAIM_JOBS,
  WEBHOOKS,
  ACCOUNTS,
  PROVIDER,
  ACCESS,
  LISTS,
  MERCHANTS,
  PAYOUTS,
  LEDGER,
  REBUILDS,
  ADMIN,
];

/** The last of the earlier migrations, which created the same schema step by step. */
const LAST_BEFORE = 'RestoreJobs1760000000680';

/**
 * Creates the orchestrator's database. Amounts are minor units. The grants of its tables are in
 * `grants.ts`.
 */
export class Orchestrator1760000000690 implements MigrationInterface {
  readonly name = 'Orchestrator1760000000690';

  async up(runner: QueryRunner): Promise<void> {
    const [{ made, last }] = (await runner.query(
      `SELECT to_regclass('events') IS NOT NULL AS made,
              EXISTS (SELECT FROM migrations WHERE name = $1) AS last`,
      [LAST_BEFORE],
    )) as [{ made: boolean; last: boolean }];
    if (last) {
      await runner.query(SINCE_LAST_BEFORE);
      return;
    }
    if (made) {
      throw new Error(
        `this database lacks the migration ${LAST_BEFORE}: first migrate it with the last ` +
          'release before 1.0, then with this release',
      );
    }
    for (const sql of SCHEMA) await runner.query(sql);
  }

  /**
   * Throws, because the log records all movements of money and must not be deleted by a program.
   */
  async down(): Promise<void> {
    await Promise.reject(
      new Error('this is the first migration, which cannot be reverted: drop the database instead'),
    );
  }
}
