import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from '../infra/build.mjs';
import { environmentOf } from '../infra/environment.mjs';
import { Failure } from '../infra/failure.mjs';
import { ensurePackages } from '../infra/install.mjs';
import { checkJava } from '../infra/java.mjs';
import { ensureKafkaJars } from '../infra/kafka-jars.mjs';
import { claim } from '../infra/lock.mjs';
import { ROOT } from '../infra/paths.mjs';
import { checkDisk, checkNode, checkPorts } from '../infra/preflight.mjs';
import { registerAccount } from '../infra/provider-account.mjs';
import { bold, cyan, dim, green, red, say, step } from '../infra/say.mjs';
import { ensureCertificate } from '../infra/tls.mjs';
import { firstToEnd, startDemoApps } from './apps.mjs';
import { portsOfDemo, secretsOfDemo } from './plan.mjs';
import { MERCHANT, migrate, platformKey } from './provision.mjs';
import { startDemoServers } from './servers.mjs';

/** What a killed run had started may take so long to end. */
const GRACE_MS = 12_000;

const preflight = async () => {
  checkNode();
  checkDisk();
  const ports = portsOfDemo();
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  if (KAFKA_BROKERS === undefined) checkJava();
  const lock = claim('demo');
  if (lock === 'taken') {
    throw new Failure('A demo of this checkout is running already: end it with Ctrl-C there first.');
  }
  const { postgres, kafka, kafkaController, ...ours } = ports;
  const needed = {
    ...ours,
    ...(DATABASE_URL === undefined ? { PostgreSQL: postgres } : {}),
    ...(KAFKA_BROKERS === undefined ? { Kafka: kafka, 'Kafka controller': kafkaController } : {}),
  };
  await checkPorts(needed, lock === 'inherited' ? GRACE_MS : 0);
  return ports;
};

const launch = async (ports) => {
  await ensurePackages();
  if (process.env.KAFKA_BROKERS === undefined) await ensureKafkaJars();
  const secrets = secretsOfDemo();
  const tls = await ensureCertificate();
  const [{ databases, brokers }] = await Promise.all([
    startDemoServers(ports, secrets),
    ensureBuild(),
  ]);
  const env = environmentOf({ ports, databases, brokers, secrets, tls });
  await step('Databases migrated', () => migrate(env));
  const apiKey = await platformKey(env);
  const shop = { SHOP_API_KEY: apiKey, SHOP_API_URL: `http://127.0.0.1:${ports.api}` };
  const work = () => startDemoApps(ports, { ...env, ...shop, SHOP_MERCHANT_ID: MERCHANT });
  const apps = await step('Sandbox, api and worker started', work);
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  await step('Provider account registered', () =>
    registerAccount({
      apiUrl, apiKey, merchantId: MERCHANT, providerKey: secrets.sandboxTestKey,
    }));
  return { apps, apiKey, apiUrl, brokers, databases };
};

/** @param {ReturnType<typeof portsOfDemo>} ports @param {string} brokers */
const sayAddresses = (ports, { apiKey, brokers }) => {
  const at = (port, path = '') => cyan(`http://127.0.0.1:${port}${path}`);
  const line = (name, value) => say(`  ${name.padEnd(16)} ${value}`);
  say(`\n${bold('It stays up: try it yourself')}\n`);
  line('Demo shop', at(ports.shop));
  line('API reference', at(ports.api, '/docs'));
  line('API key', apiKey);
  line('Sandbox', `${at(ports.sandbox)}  ${dim('clock: /sandbox/clock')}`);
  line('Kafka', brokers);
  line('Metrics', `${at(ports.api, '/metrics')}  ${at(ports.worker, '/metrics')}`);
  line('Logs', '.state/logs/');
  say(`\n${dim('Ctrl-C ends everything.')}`);
};

/** Rejects when one of the apps ends by itself. */
const appEnded = async (apps) => {
  const ended = await firstToEnd(apps);
  throw new Failure(`The ${ended.app} ended by itself: see ${ended.logFile}.`, ended.logTail());
};

const tellStory = async (ports, { apiUrl, apiKey }) => {
  const module = pathToFileURL(join(ROOT, 'dist', 'tools', 'demo', 'story.js')).href;
  const story = await import(module);
  say(`\n${bold('One order, from the basket to the bank')}\n`);
  const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const paint = { dim, green };
  return story.tellStory({ apiUrl, apiKey, merchantId: MERCHANT, sandboxUrl, say, paint });
};

/** @param {{ once: boolean }} options @returns {Promise<number>} the exit code */
export const runDemo = async ({ once }) => {
  say(`\n${bold('Payment orchestrator')} ${dim('· demo')}\n`);
  const ports = await preflight();
  const started = await launch(ports);
  const end = appEnded(started.apps);
  const wentThrough = await Promise.race([tellStory(ports, started), end]);
  if (!wentThrough) say(`\n  ${red('The order did not go through.')} Logs: .state/logs/`);
  if (once) return wentThrough ? 0 : 1;
  sayAddresses(ports, started);
  return end;
};
