import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that a person let a consumer go past without their effect, and why. Kept for ever. */
export class SkippedMessages1760000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE skipped_messages (
        consumer     text        NOT NULL,
        stream_type  text        NOT NULL,
        stream_id    text        NOT NULL,
        version      integer     NOT NULL,
        event_type   text        NOT NULL,
        error        text        NOT NULL,
        reason       text        NOT NULL,
        actor        text        NOT NULL,
        skipped_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (consumer, stream_type, stream_id, version)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE skipped_messages');
  }
}
