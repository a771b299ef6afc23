import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What merchants need beside their events: personal data, and how far the history was read. */
export class Merchants1760000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Erasable. Sealed under the key of the environment that the text names.
      CREATE TABLE merchant_details (
        ref          text        PRIMARY KEY,
        merchant_id  text        NOT NULL,
        sealed       text        NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX merchant_details_of ON merchant_details (merchant_id);

      -- One row an environment. The watermark is the first day, in Europe/Paris, that has not been
      -- read since it was over. Business time but for updated_at; the lease's token fences.
      CREATE TABLE history_watermarks (
        mode           text        PRIMARY KEY CHECK (mode IN ('test', 'live')),
        watermark      date        NOT NULL,
        next_round_at  timestamptz NOT NULL,
        failures       integer     NOT NULL DEFAULT 0,
        token          bigint      NOT NULL DEFAULT 0,
        updated_at     timestamptz NOT NULL DEFAULT clock_timestamp()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE history_watermarks, merchant_details');
  }
}
