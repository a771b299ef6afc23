import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of a webhook's body, which names the payer, what is used is kept, and a digest of the whole. A
 * process of a release before, which needs the body, fails at the column and loses nothing.
 */
export class WebhookHints1760000000331 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION pg_temp.json_in(body bytea) RETURNS jsonb LANGUAGE plpgsql AS $$
      BEGIN
        RETURN convert_from(body, 'UTF8')::jsonb;
      EXCEPTION WHEN OTHERS THEN
        -- One that is no JSON is of no use either: what it is about is read from the provider.
        RETURN NULL;
      END
      $$;
      ALTER TABLE webhooks_received
        ADD COLUMN order_id text,
        ADD COLUMN status text,
        ADD COLUMN body_bytes integer,
        ADD COLUMN body_sha256 bytea;
      UPDATE webhooks_received w
         SET order_id = substring(data->>'order_id' FROM '^pay_[A-Za-z0-9]{24}$'),
             status = substring(data->>'status' FROM '^[a-z_]{1,40}$'),
             body_bytes = length(w.body), body_sha256 = sha256(w.body), body = ''
        FROM (SELECT id, pg_temp.json_in(body)->'data' AS data FROM webhooks_received) said
       WHERE said.id = w.id;
      ALTER TABLE webhooks_received
        ALTER COLUMN body_bytes SET NOT NULL,
        ALTER COLUMN body_sha256 SET NOT NULL,
        DROP COLUMN body;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks_received
        DROP COLUMN order_id, DROP COLUMN status, DROP COLUMN body_bytes, DROP COLUMN body_sha256,
        ADD COLUMN body bytea NOT NULL DEFAULT '';
    `);
  }
}
