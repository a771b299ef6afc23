import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COMMIT_STEPS_FUNCTION } from './schema/commit-steps.js';
import { NOTE_RESTORE_FUNCTION } from './schema/restores.js';

/**
 * Each recorded restore of the log begins a new epoch. Commits read the epoch from `log_identity`,
 * because a change of the column's default would wait for every transaction that reads the log.
 */
export class EpochOfRestores1760000001040 implements MigrationInterface {
  readonly name = 'EpochOfRestores1760000001040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COMMIT_STEPS_FUNCTION);
    await runner.query(NOTE_RESTORE_FUNCTION);
  }

  /** Does nothing: the events of a later epoch need these functions. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
