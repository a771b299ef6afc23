import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COMMIT_STEPS_FUNCTION } from './schema/commit-steps.js';

/**
 * A commit compares the stuck job about which it decides, so that an operator resolves no request
 * that a worker sends meanwhile. It retries a stuck request that it makes unneeded.
 */
export class ComparedStuckJobs1760000001020 implements MigrationInterface {
  readonly name = 'ComparedStuckJobs1760000001020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COMMIT_STEPS_FUNCTION);
  }

  /** Does nothing, because the previous release does not decide about stuck jobs in a commit. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
