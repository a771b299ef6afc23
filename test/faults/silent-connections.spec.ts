import { createPool } from '#platform';
import { createDatabase, type TestDatabase } from '#testing';
import type pg from 'pg';
import { Database } from '../../apps/sandbox/storage/database.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';

/**
 * A firewall or a failed machine may drop all packets of a connection without ever closing it.
 * PostgreSQL's own timeouts end the statement at the server, but the client is not informed.
 */

const TIMEOUT_MS = 30_000;

let own: TestDatabase;
beforeAll(async () => {
  own = await createDatabase();
});
afterAll(() => own.drop());

const appPool = (connectionString: string): pg.Pool =>
  createPool(
    { applicationName: 'spec', connectionString, max: 1, statementTimeoutMs: 500 },
    () => undefined,
  );
const sandboxPool = (url: string): pg.Pool => new Database(url, () => undefined, 1).pool;

test.concurrent.each([
  ['an app', appPool],
  ['the sandbox', sandboxPool],
])(
  'a query of %s on a silent connection fails, and the next query uses another connection',
  async (_, makePool) => {
    const url = new URL(own.url);
    const proxy = await TcpFaultProxy.start(Number(url.port));
    url.port = String(proxy.port);
    const pool = makePool(url.toString());
    try {
      await pool.query('SELECT 1');
      proxy.meet('silence');
      await expect(pool.query('SELECT 2')).rejects.toThrow('Query read timeout');
      expect((await pool.query('SELECT 3')).rowCount).toBe(1);
      expect(pool.totalCount).toBe(1);
    } finally {
      await pool.end();
      await proxy.end();
    }
  },
  TIMEOUT_MS,
);
