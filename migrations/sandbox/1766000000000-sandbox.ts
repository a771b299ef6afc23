import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CLOCK } from './schema/clock.js';
import { MONEY } from './schema/money.js';
import { ONBOARDING } from './schema/onboarding.js';
import { PAYERS } from './schema/payers.js';
import { PAYMENTS } from './schema/payments.js';
import { SUBSCRIPTIONS } from './schema/subscriptions.js';
import { WEBHOOKS } from './schema/webhooks.js';

/** The last of the former migrations, which this migration has replaced. */
const LAST_BEFORE = 'LiveDisputes1765400000000';

/**
 * Creates the schema of the provider sandbox. Times are of the sandbox clock unless a name says
 * `wall`; amounts are minor units; `seq` orders rows created at the same instant; `account_id` is
 * the account of the key that created the row.
 */
export class Sandbox1766000000000 implements MigrationInterface {
  readonly name = 'Sandbox1766000000000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ made, last }] = (await runner.query(
      `SELECT to_regclass('sandbox_clock') IS NOT NULL AS made,
              EXISTS (SELECT FROM sandbox_migrations WHERE name = $1) AS last`,
      [LAST_BEFORE],
    )) as [{ made: boolean; last: boolean }];
    if (last) return;
    if (made) {
      throw new Error(
        'this sandbox database is too old to be upgraded: delete it and start again (npm run sandbox -- --reset)',
      );
    }
    for (const sql of [CLOCK, PAYERS, PAYMENTS, SUBSCRIPTIONS, MONEY, WEBHOOKS, ONBOARDING]) {
      await runner.query(sql);
    }
  }

  /** Drops all sandbox data, which clients can create again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW books;
      DROP TABLE merchant_keys, onboarding_messages, onboarding_terminals,
        onboarding_document_chunks, onboarding_documents, onboarding_uploads,
        onboarding_status_changes, onboarding_emails, onboarding_companies,
        delivery_attempts, deliveries, webhook_endpoints, events, payout_lines, subscriptions,
        prices, products, dispute_evidence, disputes, refunds, payments, payouts, signing_codes,
        messages, mandate_documents, mandates, payment_intents, sepa, cards, customers, addresses,
        clock_followers, sandbox_clock, sandbox_settings;
    `);
  }
}
