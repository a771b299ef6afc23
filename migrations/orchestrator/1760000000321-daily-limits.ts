import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much a key, a platform and a mandate may move in a day; and scopes of their own for it. */
export class DailyLimits1760000000321 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What a key was given, it keeps: the new scopes were part of this one.
      UPDATE api_keys SET scopes = scopes || '{refunds:write,captures:write,debits:write}'
       WHERE 'orders:write' = ANY (scopes);

      -- holder_id '*': all that have no limit of their own. Amounts are minor units, of each
      -- currency by itself.
      CREATE TABLE daily_limits (
        holder     text   NOT NULL CHECK (holder IN ('key', 'platform', 'mandate')),
        holder_id  text   NOT NULL,
        operation  text   NOT NULL CHECK (operation IN ('refund', 'capture', 'debit')),
        unit       text   NOT NULL CHECK (unit IN ('amount', 'count')),
        daily      bigint NOT NULL CHECK (daily >= 0),
        PRIMARY KEY (holder, holder_id, operation, unit)
      );
      INSERT INTO daily_limits
      SELECT holder, '*', operation, unit, CASE
               WHEN holder = 'mandate' AND unit = 'count' THEN 100
               WHEN holder = 'mandate' THEN 10000000
               WHEN unit = 'count' AND operation = 'capture' THEN 1000000
               WHEN unit = 'count' THEN 100000
               WHEN operation = 'refund' THEN 10000000000
               ELSE 100000000000 END
        FROM unnest('{key,platform,mandate}'::text[]) AS holder,
             unnest('{refund,capture,debit}'::text[]) AS operation,
             unnest('{amount,count}'::text[]) AS unit
       WHERE holder <> 'mandate' OR operation = 'debit';

      -- unit: count, or the currency of an amount. A day is one of UTC, by business time.
      CREATE TABLE daily_use (
        day        date   NOT NULL,
        holder     text   NOT NULL,
        holder_id  text   NOT NULL,
        operation  text   NOT NULL,
        unit       text   NOT NULL,
        used       bigint NOT NULL,
        daily      bigint NOT NULL,
        used_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (day, holder, holder_id, operation, unit),
        CONSTRAINT daily_use_is_within_limit CHECK (used <= daily)
      );
      CREATE INDEX daily_use_oldest ON daily_use (used_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE daily_use, daily_limits;
      UPDATE api_keys SET scopes = array(
        SELECT scope FROM unnest(scopes) AS scope
         WHERE scope <> ALL ('{refunds:write,captures:write,debits:write}'));
    `);
  }
}
