import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each registered account has its standing jobs from its registration on: its lists are looked
 * through, and it is reconciled. What was made before the account was registered is not ours to
 * account for. Due at once, by whatever business time the workers have.
 */
export class AccountJobs1760000000603 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION begin_account_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO jobs (kind, key, account_id, due_at, progress)
        SELECT 'account.' || list, NEW.id, NEW.id, 'epoch',
               jsonb_build_object('createdSince', floor(extract(epoch FROM NEW.created_at))::bigint)
          FROM unnest('{payments,payouts,refunds,disputes,reconcile}'::text[]) AS list
            ON CONFLICT DO NOTHING;
        RETURN NEW;
      END $$;
      CREATE TRIGGER begin_account_jobs AFTER INSERT OR UPDATE OF webhook_endpoint_id
          ON provider_accounts FOR EACH ROW
        WHEN (NEW.webhook_endpoint_id IS NOT NULL) EXECUTE FUNCTION begin_account_jobs();

      -- Those that no worker has seen yet.
      INSERT INTO jobs (kind, key, account_id, due_at, progress)
      SELECT 'account.' || list, a.id, a.id, 'epoch',
             jsonb_build_object('createdSince', floor(extract(epoch FROM a.created_at))::bigint)
        FROM provider_accounts a,
             unnest('{payments,payouts,refunds,disputes,reconcile}'::text[]) AS list
       WHERE a.webhook_endpoint_id IS NOT NULL
          ON CONFLICT DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER begin_account_jobs ON provider_accounts;
      DROP FUNCTION begin_account_jobs;
    `);
  }
}
