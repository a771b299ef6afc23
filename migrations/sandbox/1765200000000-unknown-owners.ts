import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Before objects had accounts, merchants' keys made webhook endpoints too, and all of those became
 * the sandbox's own account's. Whose such an endpoint is nobody knows, and the events of one party
 * must not go to another: those that a merchant may have made are disabled, and what waited for
 * them is dropped. One that came after a merchant's own endpoint was made by a known account.
 */
export class UnknownOwners1765200000000 implements MigrationInterface {
  readonly name = 'UnknownOwners1765200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH unknown AS (
        UPDATE webhook_endpoints w SET enabled = false
        WHERE account_id = 'acct_house' AND enabled
          -- The first keys that merchants were given.
          AND created_at >= (
            SELECT min(at) FROM onboarding_status_changes WHERE status = 'available')
          AND NOT EXISTS (
            SELECT FROM webhook_endpoints known
            WHERE known.account_id <> 'acct_house' AND known.seq < w.seq)
        RETURNING id
      )
      UPDATE deliveries SET status = 'dropped', due_at = NULL
      FROM unknown WHERE endpoint_id = unknown.id AND deliveries.status = 'waiting'
    `);
  }

  /** One-way: which of the disabled endpoints this has disabled is not kept. */
  async down(): Promise<void> {
    // An owner enables an endpoint again by PATCH.
  }
}
