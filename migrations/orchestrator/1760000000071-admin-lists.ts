import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The console lists over all platforms: newest first, and by what people ask for. */
export class AdminLists1760000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX order_list_all_newest ON order_list (placed_at DESC, order_id DESC);
      CREATE INDEX order_list_all_by_status
          ON order_list (status, placed_at DESC, order_id DESC);
      CREATE INDEX order_list_by_merchant
          ON order_list (merchant_id, placed_at DESC, order_id DESC);
      CREATE INDEX order_list_all_by_reference
          ON order_list (reference, placed_at DESC, order_id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX order_list_all_by_reference, order_list_by_merchant, order_list_all_by_status,
                 order_list_all_newest;
    `);
  }
}
