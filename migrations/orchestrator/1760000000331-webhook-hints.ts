import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Handled webhooks in one transaction: the table is not locked, only these rows are. */
const BATCH = 1_000;

const JSON_IN = `
  CREATE OR REPLACE FUNCTION pg_temp.json_in(body bytea) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    RETURN convert_from(body, 'UTF8')::jsonb;
  EXCEPTION WHEN OTHERS THEN
    -- One that is no JSON is of no use either: what it is about is read from the provider.
    RETURN NULL;
  END
  $$`;

/** Keeps what is used of the bodies of these, and their digests. */
const keepHints = (which: string): string => `
  UPDATE webhooks_received w
     SET order_id = substring(data->>'order_id' FROM '^pay_[A-Za-z0-9]{24}$'),
         status = substring(data->>'status' FROM '^[a-z_]{1,40}$'),
         body_bytes = length(w.body), body_sha256 = sha256(w.body), body = ''
    FROM (SELECT id, pg_temp.json_in(body)->'data' AS data FROM webhooks_received
           WHERE body_sha256 IS NULL AND ${which}) said
   WHERE said.id = w.id`;

/**
 * Of a webhook's body, which names the payer, what is used is kept, and a digest of the whole. Of
 * those that were handled, which may be millions, before the table is locked. A process of a release
 * before, which needs the body, fails at the column and loses nothing: an open one has it till then.
 */
export class WebhookHints1760000000331 implements MigrationInterface {
  /** Each batch has its own; what was done stays done when this is run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('webhooks_received', 'body'))) return;
    await runner.query(`
      ALTER TABLE webhooks_received
        ADD COLUMN IF NOT EXISTS order_id text,
        ADD COLUMN IF NOT EXISTS status text,
        ADD COLUMN IF NOT EXISTS body_bytes integer,
        ADD COLUMN IF NOT EXISTS body_sha256 bytea`);
    await runner.query(JSON_IN);
    const [{ last }] = await runner.query(
      'SELECT coalesce(max(id), 0) AS last FROM webhooks_received') as [{ last: string }];
    for (let from = 0; from < Number(last); from += BATCH) {
      await runner.query(keepHints(
        `handled_at IS NOT NULL AND id > ${from} AND id <= ${from + BATCH}`));
    }
    // One transaction, as statements of one query are.
    await runner.query(`
      LOCK TABLE webhooks_received IN ACCESS EXCLUSIVE MODE;
      ${keepHints('true')};
      ALTER TABLE webhooks_received
        ALTER COLUMN body_bytes SET NOT NULL,
        ALTER COLUMN body_sha256 SET NOT NULL,
        DROP COLUMN body`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks_received
        DROP COLUMN order_id, DROP COLUMN status, DROP COLUMN body_bytes, DROP COLUMN body_sha256,
        ADD COLUMN body bytea NOT NULL DEFAULT '';
    `);
  }
}
