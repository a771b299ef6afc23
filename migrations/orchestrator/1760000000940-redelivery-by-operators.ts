import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets operators send the open deliveries of a webhook endpoint again, and lists the deliveries of
 * all platforms, newest first.
 */
export class RedeliveryByOperators1760000000940 implements MigrationInterface {
  readonly name = 'RedeliveryByOperators1760000000940';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Requests the deliveries of an endpoint that are pending or failed, oldest first, at most that many;
-- chosen: only these, null for all. Returns their number. Rows are locked as by redeliver_webhooks.
CREATE FUNCTION redeliver_open_webhooks(of_endpoint text, chosen text[], most integer)
RETURNS integer LANGUAGE sql VOLATILE AS $$
  WITH open AS (
    SELECT d.id FROM webhook_deliveries d
     WHERE d.endpoint_id = of_endpoint AND d.state IN ('pending', 'failed')
       AND (chosen IS NULL OR d.id = ANY (chosen))
     ORDER BY d.created_at, d.id LIMIT most
       FOR UPDATE),
  wanted AS (
    UPDATE webhook_deliveries d SET state = 'pending', tries = 0, ended_at = NULL
      FROM open o WHERE d.id = o.id
    RETURNING d.endpoint_id, d.stream_id),
  due AS MATERIALIZED (
    SELECT request_webhooks(s.endpoint_id, s.stream_id)
      FROM (SELECT DISTINCT endpoint_id, stream_id FROM wanted ORDER BY 1, 2) s)
  SELECT (SELECT count(*)::integer FROM open) WHERE (SELECT count(*) FROM due) >= 0
$$`);
    await runner.query(`
CREATE INDEX webhook_deliveries_by_creation ON webhook_deliveries (created_at, id);
DROP INDEX webhook_deliveries_by_age`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
DROP INDEX webhook_deliveries_by_creation;
DROP FUNCTION redeliver_open_webhooks`);
  }
}
