import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An intent of the provider's is one payment's alone: its id is reserved with the event that tells
 * of it. Those that were told of before are reserved here, as whoever wrote without reserving can
 * commit no more (`StopOldCommits`). Of two that have one intent the first keeps it.
 */
export class IntentsAreOnePayments1760000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
