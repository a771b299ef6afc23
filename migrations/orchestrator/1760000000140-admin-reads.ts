import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the console reads by an entity's id, whatever kind it is, and the filters of its lists. */
export class AdminReads1760000000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX audit_of_subject;
      CREATE INDEX audit_of_subject ON audit (subject_id, at DESC, id DESC);
      CREATE INDEX payout_list_of_merchant ON payout_list (merchant_id, date DESC, payout_id DESC);
      CREATE INDEX payout_list_by_status ON payout_list (status, date DESC, payout_id DESC);
      CREATE INDEX reconciliation_exceptions_of_payment
        ON reconciliation_exceptions (payment_id) WHERE payment_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payout_list_of_merchant, payout_list_by_status,
                 reconciliation_exceptions_of_payment, audit_of_subject;
      CREATE INDEX audit_of_subject ON audit (subject_type, subject_id, at DESC, id DESC);
    `);
  }
}
