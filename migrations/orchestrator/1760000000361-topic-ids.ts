import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which topics the relay has published to: one of the same name that is made later is another. */
export class TopicIds1760000000361 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- By the topic's name its id at the brokers. With the cursor, as it says how far they are told.
      ALTER TABLE log_cursors ADD COLUMN topic_ids jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE log_cursors DROP COLUMN topic_ids');
  }
}
