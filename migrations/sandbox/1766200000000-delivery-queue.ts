import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes webhook attempts cheaper: waiting deliveries are in a narrow queue table. A claim or a
 * result then changes no indexed column of the wide table `deliveries`; such a change would make
 * PostgreSQL write to all indexes of that table. `deliveries.due_at` remains as a copy for the
 * delivery log.
 */
export class DeliveryQueue1766200000000 implements MigrationInterface {
  readonly name = 'DeliveryQueue1766200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The waiting deliveries; a claim takes them out.
      CREATE TABLE IF NOT EXISTS delivery_queue (
        endpoint_id text NOT NULL,
        due_at timestamptz NOT NULL,
        delivery_id bigint NOT NULL,
        PRIMARY KEY (endpoint_id, due_at, delivery_id)
      );
      -- The deliveries that a process claimed together. When it dies, the lease (wall time) ends and
      -- those still sending count as failed.
      CREATE TABLE IF NOT EXISTS delivery_leases (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        delivery_ids bigint[] NOT NULL,
        until_wall timestamptz NOT NULL
      );
      INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
        SELECT endpoint_id, due_at, id FROM deliveries WHERE status = 'waiting'
        ON CONFLICT DO NOTHING;
      INSERT INTO delivery_leases (delivery_ids, until_wall)
        SELECT ARRAY[id], now() FROM deliveries WHERE status = 'sending';
      DROP INDEX IF EXISTS deliveries_leased, deliveries_waiting_of_endpoint,
        deliveries_sending_of_endpoint;
      ALTER TABLE deliveries DROP COLUMN IF EXISTS leased_until_wall, SET (fillfactor = 50);
      ALTER TABLE delivery_attempts SET (fillfactor = 70);
    `);
  }

  /**
   * The leases and the queue are lost, which is acceptable because clients can create all sandbox
   * data again.
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE delivery_queue, delivery_leases;
      ALTER TABLE deliveries ADD COLUMN leased_until_wall timestamptz;
      CREATE INDEX deliveries_leased ON deliveries (leased_until_wall) WHERE status = 'sending';
      CREATE INDEX deliveries_waiting_of_endpoint ON deliveries (endpoint_id, due_at, id)
        WHERE status = 'waiting';
      CREATE INDEX deliveries_sending_of_endpoint ON deliveries (endpoint_id)
        WHERE status = 'sending';
    `);
  }
}
