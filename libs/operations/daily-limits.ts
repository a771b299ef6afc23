import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { firstRow } from '#platform';

export const LIMIT_HOLDERS = ['key', 'platform', 'mandate'] as const;
export const LIMITED_OPERATIONS = ['refund', 'capture', 'debit'] as const;
export const LIMIT_UNITS = ['amount', 'count'] as const;

/**
 * The holder id under which the default limits are stored; they apply to every holder for whom no
 * limit is stored.
 */
export const ALL_HOLDERS = '*';

/** The daily limit of one operation for one holder. */
export interface DailyLimit {
  readonly holder: (typeof LIMIT_HOLDERS)[number];
  /** The prefix of an API key, the id of a platform or of a mandate, or `*` for the default. */
  readonly holderId: string;
  readonly operation: (typeof LIMITED_OPERATIONS)[number];
  readonly unit: (typeof LIMIT_UNITS)[number];
  /**
   * The limit per day: a number of operations, or an amount in minor units that applies to each
   * currency separately.
   */
  readonly daily: number;
}

type LimitName = Omit<DailyLimit, 'daily'>;

const LIST = `
  SELECT holder, holder_id AS "holderId", operation, unit, daily::float8 AS daily
    FROM daily_limits ORDER BY holder, holder_id, operation, unit LIMIT 1000`;

const VALUES = ({ holder, holderId, operation, unit }: LimitName): readonly string[] => [
  holder,
  holderId,
  operation,
  unit,
];

export const listDailyLimits = async (pool: Pool): Promise<readonly DailyLimit[]> =>
  (await pool.query<DailyLimit>(LIST)).rows;

/** The current limit. Throws `Rejection('limit_unknown')` for an operation without limits. */
export const dailyLimitNow = async (pool: Pool, limit: LimitName): Promise<number> => {
  const row = await firstRow<{ daily: number }>(
    pool,
    `SELECT daily::float8 AS daily FROM daily_limits
      WHERE holder = $1 AND holder_id IN ($2, '${ALL_HOLDERS}') AND operation = $3 AND unit = $4
      ORDER BY holder_id = '${ALL_HOLDERS}' LIMIT 1`,
    VALUES(limit),
  );
  if (row === undefined) {
    throw new Rejection('limit_unknown', 'only debits have a limit per mandate');
  }
  return row.daily;
};

export const setDailyLimit = async (client: PoolClient, limit: DailyLimit): Promise<void> => {
  await client.query(
    `INSERT INTO daily_limits (holder, holder_id, operation, unit, daily) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (holder, holder_id, operation, unit) DO UPDATE SET daily = excluded.daily`,
    [...VALUES(limit), limit.daily],
  );
};
