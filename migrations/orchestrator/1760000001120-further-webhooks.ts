import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CLAIM_JOBS } from './schema/claim-jobs.js';

/**
 * The claim of a job that has more webhooks than a job is given makes the job run once more. Workers
 * of release 0.2.0, which know no limit, end such a job as if it had handled all its webhooks.
 */
export class FurtherWebhooks1760000001120 implements MigrationInterface {
  readonly name = 'FurtherWebhooks1760000001120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CLAIM_JOBS);
  }

  /** Does nothing: workers of both releases use the function. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
