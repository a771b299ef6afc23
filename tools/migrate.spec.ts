import { createDatabase, lockWaits, specPool, waitFor } from '#testing';
import pg from 'pg';
import { ensureRoles, giveToOwner } from '../migrations/access/roles.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { rolePassword } from './infra/roles.mjs';

test.each(['orchestrator', 'sandbox'] as const)(
  'the migrations of the %s are not stopped by the server’s time limit for statements',
  async (kind) => {
    const database = await createDatabase();
    await ensureRoles(database.url, kind, (role) => rolePassword(database.url, role));
    await giveToOwner(database.url, kind);
    const name = new URL(database.url).pathname.slice(1);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      // Sets time limits that every migration exceeds. In production, migrations of a large event
      // log may exceed the server's limits.
      await client.query(`ALTER DATABASE ${name} SET statement_timeout = '1ms'`);
      await client.query(`ALTER DATABASE ${name} SET transaction_timeout = '1ms'`);
      expect(await migrateDatabase(kind, database.url)).toBeGreaterThan(0);
    } finally {
      await client.end();
      await database.drop();
    }
  },
);

test('a migration that waits for the lock of a dump gives up after 5 seconds, and sagas are written meanwhile', async () => {
  const database = await createDatabase('orchestrator');
  const pool = specPool(database.url);
  const dump = await pool.connect();
  try {
    // The database as an earlier release left it.
    const name = 'SagasWithoutOpenIndex1760000000960';
    await pool.query('CREATE INDEX sagas_open ON sagas (saga, updated_at) WHERE NOT done');
    await pool.query('DELETE FROM migrations WHERE name = $1', [name]);
    await dump.query('BEGIN');
    await dump.query('SELECT FROM sagas LIMIT 1');

    const began = performance.now();
    const failure = migrateDatabase('orchestrator', database.url).catch((error: unknown) => error);
    await waitFor(async () => (await lockWaits(pool)) === 1);
    await pool.query(`INSERT INTO sagas (saga, key, version, state, done)
                      VALUES ('checkout', 'ord_1', 1, '{}', false)`);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await failure).toMatchObject({
      message:
        'a migration waited 5 seconds for a lock that another transaction holds (a dump, for ' +
        'example), and was rolled back: migrate again when that transaction has ended',
    });

    await dump.query('COMMIT');
    expect(await migrateDatabase('orchestrator', database.url)).toBe(1);
  } finally {
    dump.release(true);
    await pool.end();
    await database.drop();
  }
});
