import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { orchestratorDataSource } from '../migrations/orchestrator/data-source.js';
import { sandboxDataSource } from '../migrations/sandbox/data-source.js';

/** Makes an empty database on the server and brings it to today's shape; answers its url. */
export const freshDatabase = async (
  serverUrl: string, kind: 'orchestrator' | 'sandbox',
): Promise<string> => {
  const name = `bench_${kind}_${randomBytes(4).toString('hex')}`;
  const pool = new Pool({ connectionString: serverUrl, max: 1 });
  await pool.query(`CREATE DATABASE ${name}`);
  await pool.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const make = kind === 'sandbox' ? sandboxDataSource : orchestratorDataSource;
  const source = await make(url.toString()).initialize();
  await source.runMigrations();
  await source.destroy();
  return url.toString();
};

/** How many transactions that wrote something the server has begun, in all databases. */
export const writeTransactions = async (pool: Pool): Promise<bigint> => {
  const { rows } = await pool.query<{ next: string }>(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
  );
  return BigInt(rows[0]?.next ?? 0);
};
