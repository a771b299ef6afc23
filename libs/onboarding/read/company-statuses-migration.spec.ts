import { createDatabase, specPool } from '#testing';
import {
  CompanyStatuses1760000000700,
} from '../../../migrations/orchestrator/1760000000700-company-statuses.js';
import { migrateBefore } from '../../../migrations/orchestrator/migrate-before.fixture.js';

test('merchants are listed by today’s statuses, whichever release listed them', async () => {
  const database = await createDatabase();
  const pool = specPool(database.url, 1);
  try {
    await migrateBefore(database.url, CompanyStatuses1760000000700.name);
    await pool.query(`
      INSERT INTO merchant_list
      SELECT 'mer_' || n, 'shop', 'M-' || n, 'test', status, false, NULL, now(), 1
        FROM unnest(ARRAY['draft', 'notComplete', 'pendingActivation', 'validated', 'available',
                          'pendingDeactivation', 'deactivate']) WITH ORDINALITY AS s(status, n)`);
    await migrateBefore(database.url);
    const { rows } = await pool.query<{ status: string }>(
      'SELECT status FROM merchant_list ORDER BY merchant_id');
    expect(rows.map(({ status }) => status)).toEqual([
      'draft', 'incomplete', 'in_review', 'validated', 'available', 'closing', 'closed',
    ]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
