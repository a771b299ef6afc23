import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projection of the merchant streams, for lists and search; rebuilt from the log at will. */
export class MerchantList1760000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE merchant_list (
        merchant_id      text        PRIMARY KEY,
        platform_id      text        NOT NULL,
        reference        text        NOT NULL,
        mode             text        NOT NULL,
        status           text        NOT NULL,
        open_for_orders  boolean     NOT NULL,
        company_id       text,
        drafted_at       timestamptz NOT NULL,
        version          integer     NOT NULL
      );
      CREATE INDEX merchant_list_newest
          ON merchant_list (platform_id, drafted_at DESC, merchant_id DESC);
      CREATE INDEX merchant_list_by_status
          ON merchant_list (platform_id, status, drafted_at DESC, merchant_id DESC);
      CREATE INDEX merchant_list_by_reference ON merchant_list (platform_id, reference);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE merchant_list');
  }
}
