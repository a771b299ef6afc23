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

/**
 * Creates the orchestrator's database. Amounts are minor units. The grants of its tables are in
 * `grants.ts`. Releases before 0.2.0 created the schema with other migrations, which only release
 * 0.2.0 continues.
 */
export class Orchestrator1760000000690 implements MigrationInterface {
  readonly name = 'Orchestrator1760000000690';

  async up(runner: QueryRunner): Promise<void> {
    const [{ exists }] = (await runner.query(
      `SELECT to_regclass('events') IS NOT NULL AS exists`,
    )) as [{ exists: boolean }];
    if (exists) {
      throw new Error(
        'this database is of a release before 0.2.0: first migrate it with release 0.2.0, then ' +
          'with this release',
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
