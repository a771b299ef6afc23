import type { Pool } from 'pg';
import { EVERYTHING, Lists } from '#lists';
import { ORDER_LIST } from '#order';
import { createDatabase, specPool, type TestDatabase } from '#testing';

const ROWS = 2_500;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.url, 2);
});

beforeEach(() =>
  pool.query(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
            status, placed_at, version, updated_at)
     SELECT 'ord_' || lpad(n::text, 4, '0'), 'shop', 'm1', 'R', 100, 'eur', 'open', at, 1, at
       FROM generate_series(1, $1::int) n
      CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 minute' AS at) t`,
    [ROWS],
  ),
);

afterEach(() => pool.query('TRUNCATE order_list'));

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each(['desc', 'asc'] as const)(
  'a file that is requested in the order of the last change (%s) has each row once, even if a row changes meanwhile',
  async (direction) => {
    const pages = await new Lists(pool).all<{ id: string }>(ORDER_LIST, EVERYTHING, {
      sort: 'updated',
      direction,
    });
    const ids: string[] = [];
    for await (const page of pages) {
      ids.push(...page.map(({ id }) => id));
      await pool.query(
        `UPDATE order_list SET updated_at = now() WHERE order_id IN ('ord_0001', $1)`,
        [ids[0]],
      );
    }
    expect(ids).toHaveLength(ROWS);
    expect(new Set(ids).size).toBe(ROWS);
    const byCreation = ids.toSorted();
    expect(ids).toEqual(direction === 'asc' ? byCreation : byCreation.toReversed());
  },
);
