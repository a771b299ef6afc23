import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refunds are found by our id and by the platform's reference, webhooks by the provider's event, and
 * messages that were passed over are listed newest first.
 */
export class SearchReferences1760000000230 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of each refund that was asked for: our id, and the platform's own where it gave one.
      ALTER TABLE payment_list ADD COLUMN refund_references text[] NOT NULL DEFAULT '{}';
      CREATE INDEX payment_list_by_refund
          ON payment_list USING gin (refund_references) WHERE refund_references <> '{}';

      -- What was asked for before is in the log.
      INSERT INTO projection_rebuilds (projection)
      SELECT 'payment_list' WHERE EXISTS (SELECT FROM payment_list)
      ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;

      CREATE INDEX webhooks_received_by_event
          ON webhooks_received (event_id, received_at DESC, id DESC);

      ALTER TABLE skipped_messages ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;
      CREATE INDEX skipped_messages_newest ON skipped_messages (skipped_at DESC, id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE skipped_messages DROP COLUMN id;
      DROP INDEX webhooks_received_by_event;
      ALTER TABLE payment_list DROP COLUMN refund_references;
    `);
  }
}
