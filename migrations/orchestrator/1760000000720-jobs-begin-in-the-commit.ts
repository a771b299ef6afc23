import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COMMIT_STEPS_FUNCTION } from './schema/commit-steps.js';

/**
 * A process that commits a job may run the job immediately: the commit already gives the process
 * the job's claim.
 */
export class JobsBeginInTheCommit1760000000720 implements MigrationInterface {
  readonly name = 'JobsBeginInTheCommit1760000000720';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COMMIT_STEPS_FUNCTION);
  }

  /** Does nothing, because the previous release does not request claims in a commit. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
