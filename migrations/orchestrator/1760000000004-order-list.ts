import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projection of the order streams, for lists and search; rebuilt from the log at will. */
export class OrderList1760000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE order_list (
        order_id      text        PRIMARY KEY,
        platform_id   text        NOT NULL,
        merchant_id   text        NOT NULL,
        reference     text        NOT NULL,
        amount_minor  bigint      NOT NULL,
        currency      text        NOT NULL,
        status        text        NOT NULL,
        payment_id    text,
        placed_at     timestamptz NOT NULL,
        version       integer     NOT NULL
      );
      CREATE INDEX order_list_newest ON order_list (platform_id, placed_at DESC, order_id DESC);
      CREATE INDEX order_list_by_status
          ON order_list (platform_id, status, placed_at DESC, order_id DESC);
      CREATE INDEX order_list_by_reference ON order_list (platform_id, reference);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_list');
  }
}
