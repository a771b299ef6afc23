import { createDatabase } from '#testing';
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
