import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reserves the intents that were told of before the log did it by itself: whoever wrote an event
 * without that trigger had ended before it was there. Of two that have one intent the first keeps it.
 */
export class ToldIntents1760000000490 implements MigrationInterface {
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
