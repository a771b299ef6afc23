import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COMMIT_STEPS_FUNCTION } from './schema/commit-steps.js';

/** A process that commits a job may begin it at once, under a claim that the commit gives it. */
export class JobsBeginInTheCommit1760000000720 implements MigrationInterface {
  readonly name = 'JobsBeginInTheCommit1760000000720';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COMMIT_STEPS_FUNCTION);
  }

  /** Does nothing: the release before asks for no claim. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
