import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the delivery log tells besides the attempts: deliveries made by a replay, and those that a
 * fault met. Lost is what a fault took: no attempt of it is made. And the User Area's ways to find
 * payments.
 */
export class DeliveryLog1764400000000 implements MigrationInterface {
  readonly name = 'DeliveryLog1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deliveries
        ADD COLUMN replayed_at timestamptz,
        ADD COLUMN fault text CHECK (fault IN ('lose', 'double', 'reorder', 'delay')),
        DROP CONSTRAINT deliveries_status_check,
        ADD CONSTRAINT deliveries_status_check CHECK (status IN (
          'waiting', 'sending', 'delivered', 'given_up', 'dropped', 'lost'));
      CREATE INDEX payments_of_status ON payments (live, status, created_at DESC, seq DESC);
      CREATE INDEX payments_of_customer ON payments (customer_id) WHERE customer_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payments_of_status, payments_of_customer;
      UPDATE deliveries SET status = 'dropped' WHERE status = 'lost';
      ALTER TABLE deliveries
        DROP COLUMN replayed_at,
        DROP COLUMN fault,
        DROP CONSTRAINT deliveries_status_check,
        ADD CONSTRAINT deliveries_status_check CHECK (status IN (
          'waiting', 'sending', 'delivered', 'given_up', 'dropped'));
    `);
  }
}
