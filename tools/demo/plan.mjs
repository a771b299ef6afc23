import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from '../infra/failure.mjs';
import { stateDir } from '../infra/paths.mjs';

const DEFAULT_BASE = 4_100;

/** Where everything listens. PORT_BASE shifts all of it, so that two checkouts can run at once. */
export const portsOfDemo = () => {
  const text = process.env.PORT_BASE ?? String(DEFAULT_BASE);
  const base = Number(text);
  if (!/^\d+$/.test(text) || base < 1_024 || base > 65_500) {
    throw new Failure(`PORT_BASE is a whole number from 1024 to 65500, not '${text}'.`);
  }
  const offsets = {
    api: 0, apiTls: 1, worker: 2, sandbox: 3, sandboxTls: 4, shop: 5,
    postgres: 6, kafka: 7, kafkaController: 8,
  };
  const at = ([name, offset]) => [name, base + offset];
  return /** @type {Record<keyof typeof offsets, number>} */ (
    Object.fromEntries(Object.entries(offsets).map(at))
  );
};

/** Secrets of this checkout's demo, made once and kept with its data. */
export const secretsOfDemo = () => {
  const file = join(stateDir('demo'), 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secrets = {
    postgresPassword: randomBytes(18).toString('hex'),
    secretsKey: `dev1:${randomBytes(32).toString('base64')}`,
    sandboxTestKey: `stest_${randomBytes(12).toString('hex')}`,
    sandboxLiveKey: `sprod_${randomBytes(12).toString('hex')}`,
  };
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
};

/**
 * What the apps are told by their environment.
 * @param {{ ports: ReturnType<typeof portsOfDemo>, databases: Record<string, string>,
 *   brokers: string, secrets: Record<string, string>, tls: Record<string, string> }} parts
 * @returns {Record<string, string>}
 */
export const environmentOf = ({ ports, databases, brokers, secrets, tls }) => ({
  DATABASE_URL: databases.orchestrator,
  SANDBOX_DATABASE_URL: databases.sandbox,
  KAFKA_BROKERS: brokers,
  API_PORT: String(ports.api),
  API_TLS_PORT: String(ports.apiTls),
  WORKER_PORT: String(ports.worker),
  SANDBOX_PORT: String(ports.sandbox),
  SANDBOX_TLS_PORT: String(ports.sandboxTls),
  SHOP_PORT: String(ports.shop),
  SANDBOX_TEST_KEY: secrets.sandboxTestKey,
  SANDBOX_LIVE_KEY: secrets.sandboxLiveKey,
  SANDBOX_PUBLIC_URL: `http://127.0.0.1:${ports.sandbox}`,
  SANDBOX_WEBHOOK_CA: tls.caFile,
  SANDBOX_WEBHOOK_LOOPBACK: '1',
  PROVIDER_URL: `http://127.0.0.1:${ports.sandbox}`,
  PUBLIC_WEBHOOK_URL: `https://127.0.0.1:${ports.apiTls}`,
  CLOCK_URL: `http://127.0.0.1:${ports.sandbox}/sandbox/clock`,
  SECRETS_KEY: secrets.secretsKey,
  TLS_CERT_FILE: tls.certFile,
  TLS_KEY_FILE: tls.keyFile,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
});
