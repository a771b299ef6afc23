import { randomText } from '#kernel';
import pg from 'pg';
import { type RunningApp, startApp } from '../tools/infra/apps.mjs';
import { freePort } from '../tools/infra/processes.mjs';
import { dropDatabase, freshDatabase } from '../tools/stack/databases.js';
import { Sandbox } from '../tools/stack/sandbox.js';
import { cpuSeconds } from './process-costs.js';

export interface SandboxServers {
  /** The URL of a PostgreSQL server, with a user who may create databases. */
  readonly databaseUrl: string;
  readonly tls: { readonly caFile: string };
}

/** The sandbox as a separate process with a separate database. */
export interface BenchSandbox {
  readonly url: string;
  readonly testKey: string;
  readonly control: Sandbox;
  readonly databaseUrl: string;
  readonly app: RunningApp;
  stop(): Promise<void>;
}

/** Starts the sandbox on a new database that `fill` has filled. */
export const startBenchSandbox = async (
  { databaseUrl, tls }: SandboxServers,
  fill: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<BenchSandbox> => {
  const database = await freshDatabase(databaseUrl, 'sandbox');
  await fill(database);
  const [port, testKey] = [await freePort(), `stest_${randomText(24)}`];
  const app = await startApp({
    app: 'sandbox',
    port,
    env: {
      SANDBOX_DATABASE_URL: database,
      SANDBOX_PORT: String(port),
      SANDBOX_TEST_KEY: testKey,
      SANDBOX_PUBLIC_URL: `http://127.0.0.1:${port}`,
      SANDBOX_WEBHOOK_CA: tls.caFile,
      SANDBOX_WEBHOOK_LOOPBACK: '1',
      LOG_LEVEL: 'warn',
    },
  });
  return {
    url: app.url,
    testKey,
    app,
    databaseUrl: database,
    control: new Sandbox(app.url, testKey),
    stop: async () => {
      await app.stop();
      await dropDatabase(databaseUrl, database);
    },
  };
};

export const basicAuth = ({ testKey }: BenchSandbox): string =>
  `Basic ${Buffer.from(`${testKey}:`).toString('base64')}`;

/** CPU seconds used so far by the process and by its database sessions. */
export interface CpuSeconds {
  readonly sandbox: number;
  readonly postgres: number;
}

export const cpuBetween = (before: CpuSeconds, after: CpuSeconds): CpuSeconds => ({
  sandbox: after.sandbox - before.sandbox,
  postgres: after.postgres - before.postgres,
});

/**
 * CPU seconds used so far by the sandbox's process and its open database sessions; those of closed
 * sessions are not counted.
 */
export const cpuOf = async ({ app, databaseUrl }: BenchSandbox): Promise<CpuSeconds> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'sandbox'`,
  );
  await client.end();
  return {
    sandbox: app.pid === undefined ? 0 : cpuSeconds(app.pid),
    postgres: rows.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
  };
};
