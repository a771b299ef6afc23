import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, specPool, uniqueName } from '#testing';
import type { Pool } from 'pg';
import { ensureRoles, giveToOwner } from '../../migrations/access/roles.js';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { createMissing } from '../../tools/infra/databases.mjs';
import { type RunningPostgres, startPostgres } from '../../tools/infra/postgres.mjs';
import { DATABASE_ROLES, rolePassword, roleUrl } from '../../tools/infra/roles.mjs';

/**
 * Installs a database on a server of which we are not the superuser, as on a managed service: the
 * administrator may only create roles and databases.
 */

const { owner, apps } = DATABASE_ROLES.orchestrator;
const NAME = 'orchestrator';

let server: RunningPostgres;
let superuser: Pool;
/** The URL of the server for its administrator, who is no superuser. */
let managed: string;

const databaseUrl = (): string => managed.replace(/postgres$/, NAME);

beforeAll(async () => {
  const password = uniqueName('secret');
  server = await startPostgres({
    folder: uniqueName('managed'),
    port: await freePort(),
    password,
    logFile: join(tmpdir(), `${uniqueName('managed')}.log`),
    throwaway: true,
  });
  superuser = specPool(`${server.url}/postgres`, 1);
  await superuser.query(`CREATE ROLE manager LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`);
  const url = new URL(`${server.url}/postgres`);
  url.username = 'manager';
  managed = url.toString();
});
afterAll(async () => {
  await superuser.end();
  await server.stop();
});

/** What `node dist/programs/roles.js orchestrator` does. */
const install = async (): Promise<string | null> => {
  const left = await ensureRoles(managed, 'orchestrator', (role) => rolePassword(managed, role));
  await createMissing(managed, [NAME]);
  await giveToOwner(databaseUrl(), 'orchestrator');
  return left;
};

test('a role that may only create roles and databases installs the roles and the database, again without an effect, and reports which right an administrator must grant', async () => {
  const left = 'let an administrator of the server run `GRANT pg_read_all_stats TO';
  expect(await install()).toContain(left);
  expect(await install()).toContain(left);
  await superuser.query(`GRANT pg_read_all_stats TO ${apps.worker}, ${apps.admin}`);
  expect(await install()).toBeNull();

  expect(await migrateDatabase('orchestrator', roleUrl(databaseUrl(), owner))).toBeGreaterThan(0);
  const worker = specPool(roleUrl(databaseUrl(), apps.worker), 1);
  try {
    await worker.query('SELECT FROM events');
    await expect(worker.query('CREATE TABLE mine ()')).rejects.toThrow('permission denied');
    const { rows } = await superuser.query(
      `SELECT datdba::regrole::text AS owner, has_database_privilege('public', oid, 'CONNECT') AS open
         FROM pg_database WHERE datname = '${NAME}'`,
    );
    expect(rows).toEqual([{ owner, open: false }]);
  } finally {
    await worker.end();
  }
});
