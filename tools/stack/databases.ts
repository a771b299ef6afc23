import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { orchestratorDataSource } from '../../migrations/orchestrator/data-source.js';
import { sandboxDataSource } from '../../migrations/sandbox/data-source.js';

const onServer = async (serverUrl: string, sql: string): Promise<void> => {
  const pool = new Pool({ connectionString: serverUrl, max: 1 });
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
};

/** Makes an empty database on the server and brings it to today's shape; answers its url. */
export const freshDatabase = async (
  serverUrl: string, kind: 'orchestrator' | 'sandbox',
): Promise<string> => {
  const name = `${kind}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const make = kind === 'sandbox' ? sandboxDataSource : orchestratorDataSource;
  const source = await make(url.toString()).initialize();
  await source.runMigrations();
  await source.destroy();
  return url.toString();
};

/** Deletes a database that `freshDatabase` made, whoever is still connected. */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  onServer(serverUrl, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
