import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of what belongs to one thing are read in their order: a payout has a day's lines, and all
 * payments of a test may be made with one card.
 */
export class ListsInOrder1765000000000 implements MigrationInterface {
  readonly name = 'ListsInOrder1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, table, column] of INDEXES) {
      // As the lists do: a single call's intent is in none.
      const listed = table === 'payment_intents' ? 'AND NOT single_call' : '';
      await runner.query(`
        DROP INDEX ${name};
        CREATE INDEX ${name} ON ${table} (${column}, created_at DESC, seq DESC)
          WHERE ${column} IS NOT NULL ${listed};
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, table, column] of INDEXES) {
      await runner.query(`
        DROP INDEX ${name};
        CREATE INDEX ${name} ON ${table} (${column}) WHERE ${column} IS NOT NULL;
      `);
    }
  }
}

const INDEXES = [
  ['payments_of_card', 'payments', 'card_id'],
  ['payments_of_sepa', 'payments', 'sepa_id'],
  ['payments_of_customer', 'payments', 'customer_id'],
  ['payment_intents_card', 'payment_intents', 'card_id'],
  ['payment_intents_sepa', 'payment_intents', 'sepa_id'],
  ['refunds_of_payout', 'refunds', 'payout_id'],
  ['disputes_of_payout', 'disputes', 'payout_id'],
] as const;
