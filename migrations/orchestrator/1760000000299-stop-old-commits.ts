import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process of the release before can commit no step from here on. In a transaction of its own, so
 * that it is so for all before the next migration reads what they have committed.
 */
export class StopOldCommits1760000000299 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Replaced and not dropped: calls that were prepared find the new body under the old id.
      CREATE OR REPLACE FUNCTION commit_steps(
        locks bigint[], appends json, new_events json, receipts json, saga_writes json, names json,
        answers json, fired json, deadline_changes json, calls json, results json, webhooks json
      ) RETURNS jsonb
      LANGUAGE plpgsql
      AS $$
      BEGIN
        -- A code of a server that is not available: the old process retries, and gives nothing up.
        RAISE EXCEPTION 'the database commits no steps of the release before: stop its processes'
          USING ERRCODE = 'cannot_connect_now';
      END
      $$
    `);
  }

  async down(): Promise<void> {
    await Promise.reject(new Error('the release before cannot be brought back: restore'));
  }
}
