import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Streams that a reader of the log holds back, at an event that only a newer release can read. */
export class BlockedStreams1760000000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- reader: the name of its cursor, which goes on with all other streams. version: the first
      -- event of the stream that the reader has not taken.
      CREATE TABLE blocked_streams (
        reader          text        NOT NULL,
        stream_type     text        NOT NULL,
        stream_id       text        NOT NULL,
        version         integer     NOT NULL,
        type            text        NOT NULL,
        schema_version  smallint    NOT NULL,
        blocked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (reader, stream_type, stream_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE blocked_streams');
  }
}
