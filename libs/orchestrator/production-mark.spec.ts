import pg from 'pg';
import { isProduction } from '#operations';
import { createDatabase } from '#testing';
import { ProductionMark } from './production-mark.js';

test('a database that a production process was started on stays production’s', async () => {
  const database = await createDatabase('orchestrator');
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const mark = new ProductionMark(pool);
  const before = process.env['NODE_ENV'];
  try {
    await mark.onApplicationBootstrap();
    expect(await isProduction(pool)).toBe(false);
    process.env['NODE_ENV'] = 'production';
    await mark.onApplicationBootstrap();
    process.env['NODE_ENV'] = 'development';
    await mark.onApplicationBootstrap();
    expect(await isProduction(pool)).toBe(true);
  } finally {
    process.env['NODE_ENV'] = before;
    await pool.end();
    await database.drop();
  }
});
