import { DatabaseError, type Pool } from 'pg';
import type { DailyLimit } from '#operations';
import { firstRow } from '#platform';

/** How much of one daily limit a request uses. */
export interface Use {
  readonly holder: DailyLimit['holder'];
  readonly holderId: string;
  /** `count` for a limit on the number of operations; for a limit on amounts, the currency. */
  readonly unit: string;
  readonly used: number;
}

/** The amounts that one operation counts towards its daily limits on one day. */
export interface DayUse {
  readonly day: string;
  readonly operation: DailyLimit['operation'];
  readonly uses: readonly Use[];
}

/** A limit that the request would exceed. */
export interface Exceeded extends Use {
  readonly daily: number;
  /** How much of the limit was used before this request. */
  readonly usedBefore: number;
}

const WANTED = `unnest($3::text[], $4::text[], $5::text[], $6::bigint[])
  AS w (holder, holder_id, unit, used)`;

const LIMIT = `CROSS JOIN LATERAL (
  SELECT daily FROM daily_limits
   WHERE holder = w.holder AND holder_id IN (w.holder_id, '*') AND operation = $2
     AND unit = CASE w.unit WHEN 'count' THEN 'count' ELSE 'amount' END
   ORDER BY holder_id = '*' LIMIT 1) AS l`;

/**
 * Adds all amounts to the used part of their limits, or none: a constraint of the table keeps each
 * sum within its limit.
 */
const TAKE = `
  INSERT INTO daily_use AS u (day, operation, holder, holder_id, unit, used, daily)
  SELECT $1::date, $2, w.holder, w.holder_id, w.unit, w.used, l.daily FROM ${WANTED} ${LIMIT}
   ORDER BY w.holder, w.unit
  ON CONFLICT (day, holder, holder_id, operation, unit) DO UPDATE
     SET used = u.used + excluded.used, daily = excluded.daily`;

/**
 * Subtracts amounts from the used part of their limits. The rows are locked in the sequence in
 * which the amounts were added, so that two requests cannot deadlock.
 */
const GIVE_BACK = `
  WITH given AS MATERIALIZED (
    SELECT u.holder, u.holder_id, u.unit, w.used FROM ${WANTED}
      JOIN daily_use u ON u.day = $1::date AND u.operation = $2 AND u.holder = w.holder
           AND u.holder_id = w.holder_id AND u.unit = w.unit
     ORDER BY w.holder, w.unit FOR UPDATE OF u)
  UPDATE daily_use u SET used = u.used - given.used FROM given
   WHERE u.day = $1::date AND u.operation = $2 AND u.holder = given.holder
     AND u.holder_id = given.holder_id AND u.unit = given.unit`;

const EXCEEDED = `
  SELECT w.holder, w.holder_id AS "holderId", w.unit, w.used::float8 AS used,
         l.daily::float8 AS daily, coalesce(u.used, 0)::float8 AS "usedBefore"
    FROM ${WANTED} ${LIMIT}
    LEFT JOIN daily_use u ON u.day = $1::date AND u.operation = $2 AND u.holder = w.holder
         AND u.holder_id = w.holder_id AND u.unit = w.unit
   WHERE coalesce(u.used, 0) + w.used > l.daily
   ORDER BY w.used > l.daily DESC, w.holder, w.unit LIMIT 1`;

const valuesOf = ({ day, operation, uses }: DayUse): unknown[] => [
  day,
  operation,
  uses.map(({ holder }) => holder),
  uses.map(({ holderId }) => holderId),
  uses.map(({ unit }) => unit),
  uses.map(({ used }) => used),
];

const isBeyond = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'daily_use_is_within_limit';

/**
 * The maximum number of attempts to count a use. If a concurrent request subtracts its use after a
 * failed attempt, no limit is exceeded any more, and the use is counted again.
 */
const MAX_TRIES = 3;

/**
 * Counts a use towards the day's limits. If the use would exceed a limit, counts nothing and
 * returns this limit.
 */
export const takeUse = async (pool: Pool, use: DayUse): Promise<Exceeded | null> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await pool.query({ name: 'daily-use', text: TAKE, values: valuesOf(use) });
      return null;
    } catch (error) {
      if (!isBeyond(error)) throw error;
      const exceeded = await firstRow<Exceeded>(pool, EXCEEDED, valuesOf(use));
      if (exceeded !== undefined) return exceeded;
      if (tries === MAX_TRIES) throw error;
    }
  }
};

export const giveBackUse = async (pool: Pool, use: DayUse): Promise<void> => {
  await pool.query(GIVE_BACK, valuesOf(use));
};
