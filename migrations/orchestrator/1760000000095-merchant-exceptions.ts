import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projection of the merchant streams: which of them wait for a person. */
export class MerchantExceptions1760000000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE merchant_exceptions (
        merchant_id    text        PRIMARY KEY,
        status         text        NOT NULL,
        silent_since   timestamptz,
        unknown_calls  text[]      NOT NULL,
        unknown_since  timestamptz,
        version        integer     NOT NULL
      );
      CREATE INDEX merchant_exceptions_open ON merchant_exceptions (merchant_id)
       WHERE silent_since IS NOT NULL OR unknown_since IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE merchant_exceptions');
  }
}
