import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What one endpoint has waiting and on its way is counted at each claim. */
export class FairDeliveries1764600000000 implements MigrationInterface {
  readonly name = 'FairDeliveries1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX deliveries_waiting_of_endpoint ON deliveries (endpoint_id, due_at, id)
        WHERE status = 'waiting';
      CREATE INDEX deliveries_sending_of_endpoint ON deliveries (endpoint_id)
        WHERE status = 'sending';
      DROP INDEX deliveries_due;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX deliveries_waiting_of_endpoint, deliveries_sending_of_endpoint;
      CREATE INDEX deliveries_due ON deliveries (due_at, id) WHERE status = 'waiting';
    `);
  }
}
