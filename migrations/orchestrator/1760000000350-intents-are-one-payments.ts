import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An intent of the provider's is one payment's alone: its id is reserved with the event that tells
 * of it, and here for those that were told before. Of two that have one intent the first keeps it.
 */
export class IntentsAreOnePayments1760000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The reading of the whole log may take longer than an app's transaction.
    await runner.query('SET LOCAL transaction_timeout = 0');
    await runner.query(`
      INSERT INTO reservations (scope, key, holder)
      SELECT 'payment.intent', e.data ->> 'intentId', e.stream_id
        FROM events e
       WHERE e.stream_type = 'payment' AND e.type = 'IntentCreated'
       ORDER BY e.epoch, e.transaction_id, e.position
          ON CONFLICT DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM reservations WHERE scope = 'payment.intent'`);
  }
}
