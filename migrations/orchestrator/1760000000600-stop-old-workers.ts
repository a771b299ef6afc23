import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process of the release before can commit no step and begin no call from here on. In a transaction of its own, so
 * that it is so for all before the next migration moves what waits.
 */
export class StopOldWorkers1760000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Replaced and not dropped: calls that were prepared find the new body under the old id.
      CREATE OR REPLACE FUNCTION commit_steps(
        locks bigint[], appends json, new_events json, saga_writes json, names json, answers json,
        fired json, deadline_changes json, calls json, results json, webhooks json
      ) RETURNS jsonb
      LANGUAGE plpgsql
      AS $$
      BEGIN
        -- A code of a server that is not available: the old process retries, and gives nothing up.
        RAISE EXCEPTION 'the database commits no steps of the release before: stop its processes'
          USING ERRCODE = 'cannot_connect_now';
      END
      $$;

      -- Nor begin a call: what is under way when the next migration begins is all that there is.
      CREATE OR REPLACE FUNCTION claim_effects(
        business_now timestamptz, up_to integer, claim_ms double precision, accounts text[],
        running integer[], most integer
      ) RETURNS TABLE (
        job_id uuid, kind text, subject_id text, account_id text, tries integer, claim uuid,
        found text, subject_version integer
      )
      LANGUAGE plpgsql
      AS $$
      BEGIN
        RAISE EXCEPTION 'the database gives out no calls of the release before: stop its processes'
          USING ERRCODE = 'cannot_connect_now';
      END
      $$
    `);
  }

  async down(): Promise<void> {
    await Promise.reject(new Error('the release before cannot be brought back: restore'));
  }
}
