import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningApp, startApp } from '../tools/infra/apps.mjs';
import { freePort } from '../tools/infra/processes.mjs';
import { Pool } from 'pg';
import { ApiKeyStore } from '../apps/api/auth/api-key-store.js';
import { SCOPES } from '../apps/api/auth/api-key.js';
import { freshDatabase } from './databases.js';

export interface BenchServers {
  readonly databaseUrl: string;
  readonly brokers: string;
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string };
}

/** The whole product on one machine, as processes. */
export interface Stack {
  readonly orchestratorUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly sandboxUrl: string;
  readonly merchantId: string;
  readonly apps: readonly RunningApp[];
  stop(): Promise<void>;
}

const portsFor = async () => {
  const [api, apiTls, worker, sandbox] = [
    await freePort(), await freePort(), await freePort(), await freePort(),
  ];
  return { api, apiTls, worker, sandbox };
};

const createKey = async (databaseUrl: string): Promise<string> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await new ApiKeyStore(pool).create('bench', SCOPES);
  } finally {
    await pool.end();
  }
};

/**
 * Starts the sandbox and the chosen apps on databases and topics of their own; one merchant can be
 * paid.
 */
export const startStack = async (
  { databaseUrl, brokers, tls }: BenchServers, names: readonly ('api' | 'worker')[],
): Promise<Stack> => {
  const ports = await portsFor();
  const orchestratorUrl = await freshDatabase(databaseUrl, 'orchestrator');
  const providerKey = `stest_${randomBytes(12).toString('hex')}`;
  const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const env: Record<string, string> = {
    DATABASE_URL: orchestratorUrl,
    SANDBOX_DATABASE_URL: await freshDatabase(databaseUrl, 'sandbox'),
    KAFKA_BROKERS: brokers,
    TOPIC_PREFIX: `bench_${randomBytes(3).toString('hex')}_`,
    API_PORT: String(ports.api),
    API_TLS_PORT: String(ports.apiTls),
    WORKER_PORT: String(ports.worker),
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_TEST_KEY: providerKey,
    SANDBOX_PUBLIC_URL: sandboxUrl,
    SANDBOX_WEBHOOK_CA: tls.caFile,
    SANDBOX_WEBHOOK_LOOPBACK: '1',
    PROVIDER_URL: sandboxUrl,
    PUBLIC_WEBHOOK_URL: `https://127.0.0.1:${ports.apiTls}`,
    SECRETS_KEY: `bench:${randomBytes(32).toString('base64')}`,
    TLS_CERT_FILE: tls.certFile,
    TLS_KEY_FILE: tls.keyFile,
    API_REQUESTS_PER_SECOND: '1000000',
    LOG_LEVEL: 'info',
  };
  const logs = mkdtempSync(join(tmpdir(), 'bench-'));
  const start = (app: string, port: number) =>
    startApp({ app, port, env, logFile: join(logs, `${app}.log`) });
  const sandbox = await start('sandbox', ports.sandbox);
  const others = await Promise.all(names.map((name) => start(name, ports[name])));
  const apiKey = await createKey(orchestratorUrl);
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const merchantId = 'bench-merchant';
  const answer = await fetch(`${apiUrl}/v1/provider-accounts`, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${apiKey}`, 'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ merchantId, mode: 'test', apiKey: providerKey }),
  });
  if (!answer.ok) throw new Error(`the account was refused: ${await answer.text()}`);
  const apps = [...others, sandbox];
  return {
    orchestratorUrl, apiUrl, apiKey, sandboxUrl, merchantId, apps,
    stop: async () => {
      await Promise.all(apps.map((app) => app.stop()));
    },
  };
};
