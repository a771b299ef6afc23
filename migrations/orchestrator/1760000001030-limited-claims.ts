import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CLAIM_JOBS } from './schema/claim-jobs.js';

/** A claimed job is given a limited number of webhooks, each with a short type. */
export class LimitedClaims1760000001030 implements MigrationInterface {
  readonly name = 'LimitedClaims1760000001030';

  async up(runner: QueryRunner): Promise<void> {
    // Before release 0.2.0, a job that reads an intent named the intent in its progress.
    await runner.query(`
      UPDATE jobs SET intent_id = progress ->> 'intentId'
       WHERE kind = 'intent.read' AND intent_id IS NULL`);
    await runner.query(CLAIM_JOBS);
  }

  /** Does nothing: workers of both releases use the function. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
