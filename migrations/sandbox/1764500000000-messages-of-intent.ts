import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The inbox of a payment is looked at every two seconds, and the newest messages of all. */
export class MessagesOfIntent1764500000000 implements MigrationInterface {
  readonly name = 'MessagesOfIntent1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX messages_of_intent ON messages (intent_id, created_at DESC, seq DESC)
        WHERE intent_id IS NOT NULL;
      CREATE INDEX messages_latest ON messages (created_at DESC, seq DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX messages_of_intent, messages_latest');
  }
}
