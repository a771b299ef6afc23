import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index of the payments with captures that the provider rejected. */
export class RejectedCaptures1760000000700 implements MigrationInterface {
  readonly name = 'RejectedCaptures1760000000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payment_list_rejected_captures
          ON payment_list (requested_at DESC, payment_id DESC) WHERE rejected_captures <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payment_list_rejected_captures');
  }
}
