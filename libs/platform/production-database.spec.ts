import { createDatabase, specPool } from '#testing';
import { ConfigError } from './config.js';
import { agreeOnProduction, isProduction } from './production-database.js';

test('a database that a production process has used stays marked as a production database', async () => {
  const database = await createDatabase('orchestrator');
  const pool = specPool(database.urlFor('api'), 1);
  const before = process.env['NODE_ENV'];
  try {
    await agreeOnProduction(pool);
    expect(await isProduction(pool)).toBe(false);
    process.env['NODE_ENV'] = 'production';
    await agreeOnProduction(pool);
    await agreeOnProduction(pool);
    expect(await isProduction(pool)).toBe(true);
    process.env['NODE_ENV'] = 'development';
    await expect(agreeOnProduction(pool)).rejects.toEqual(
      new ConfigError('this database is a production database: set NODE_ENV=production'),
    );
    expect(await isProduction(pool)).toBe(true);
    await expect(pool.query('DELETE FROM production_marks')).rejects.toThrow('permission denied');
  } finally {
    process.env['NODE_ENV'] = before;
    await pool.end();
    await database.drop();
  }
});
