import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who reads the log and how far, and what a consumer could not take. */
export class Messaging1760000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Database time. The token rises with each new holder: an old holder's writes carry a lower
      -- one and are refused.
      CREATE TABLE leases (
        name        text        PRIMARY KEY,
        holder      text        NOT NULL,
        token       bigint      NOT NULL,
        expires_at  timestamptz NOT NULL
      );

      -- How far each reader of the log has come.
      CREATE TABLE log_cursors (
        name            text    PRIMARY KEY,
        epoch           integer NOT NULL,
        transaction_id  xid8    NOT NULL,
        position        bigint  NOT NULL,
        token           bigint  NOT NULL DEFAULT 0,
        moved_at        timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      -- A stream that a consumer cannot get past: its later messages wait in the log.
      CREATE TABLE parked_keys (
        consumer     text        NOT NULL,
        stream_type  text        NOT NULL,
        stream_id    text        NOT NULL,
        version      integer     NOT NULL,
        event_type   text        NOT NULL,
        error        text        NOT NULL,
        parked_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
        tries        integer     NOT NULL DEFAULT 1,
        release_requested_at  timestamptz,
        PRIMARY KEY (consumer, stream_type, stream_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parked_keys, log_cursors, leases');
  }
}
