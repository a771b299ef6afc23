import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from '../infra/build.mjs';
import { environmentOf } from '../infra/environment.mjs';
import { Failure } from '../infra/failure.mjs';
import { ensurePackages } from '../infra/install.mjs';
import { checkKafkaTools, ensureKafkaJars } from '../infra/kafka-jars.mjs';
import { claim, holderOf } from '../infra/lock.mjs';
import { ROOT, stateDir } from '../infra/paths.mjs';
import { checkDisk, checkNode, checkPorts } from '../infra/preflight.mjs';
import { registerAccount } from '../infra/provider-account.mjs';
import { bold, cyan, dim, green, red, say, step } from '../infra/say.mjs';
import { ensureCertificate } from '../infra/tls.mjs';
import { firstToEnd, startDemoApps } from './apps.mjs';
import { keepRunning } from './keep-running.mjs';
import { checkDemoIsWhole, checkMayReset, HOME, resetDemo } from './kept.mjs';
import { keptStory } from './kept-story.mjs';
import { portsOfDemo, secretsOfDemo } from './plan.mjs';
import { consoleUsers, MERCHANT, migrate, PLATFORM, platformKey } from './provision.mjs';
import { startDemoServers } from './servers.mjs';

/** How long to wait for the processes of a killed run to end. */
const GRACE_MS = 12_000;
/** The lead of the sandbox's clock over real time above which the closing lines mention it. */
const AHEAD_MS = 60_000;

/** @param {boolean} reset */
const preflight = async (reset) => {
  checkNode();
  checkDisk();
  if (reset) checkMayReset();
  const ports = portsOfDemo();
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  if (KAFKA_BROKERS === undefined) checkKafkaTools();
  const lock = claim('demo');
  if (lock === 'taken') {
    const pid = holderOf('demo');
    throw new Failure(
      pid === null
        ? 'A demo of this checkout is already starting in another terminal: end that demo first, with Ctrl-C.'
        : `A demo of this checkout is running already, as process ${pid}: ` +
            `end it with Ctrl-C there, or with \`kill -INT ${pid}\`.`,
    );
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

/** Rejects when an app has ended although it was not stopped. */
const appEnded = async (apps) => {
  const ended = await firstToEnd(apps);
  throw new Failure(`The app ${ended.app} ended by itself: see ${ended.logFile}.`, ended.logTail());
};

/** @param {{ once: boolean, reset: boolean }} options */
const launch = async (ports, { once, reset }) => {
  await ensurePackages();
  if (reset) resetDemo();
  checkDemoIsWhole();
  if (process.env.KAFKA_BROKERS === undefined) await ensureKafkaJars();
  const secrets = secretsOfDemo();
  const tls = await ensureCertificate();
  const [{ databases, brokers }] = await Promise.all([
    startDemoServers(ports, secrets),
    ensureBuild(),
  ]);
  const env = {
    ...environmentOf({ ports, databases, brokers, secrets, tls }),
    FULFILMENT_DATABASE_URL: databases.fulfilment,
  };
  await step('Databases migrated', () => migrate(env), { doing: 'Migrating databases' });
  const apiKey = await platformKey(env);
  const shop = { SHOP_API_KEY: apiKey, SHOP_API_URL: `http://127.0.0.1:${ports.api}` };
  const fulfilment = {
    FULFILMENT_PORT: String(ports.fulfilment),
    ORCHESTRATOR_URL: shop.SHOP_API_URL,
    ORCHESTRATOR_API_KEY: apiKey,
  };
  const all = { ...env, ...shop, ...fulfilment, SHOP_MERCHANT_ID: MERCHANT };
  const names = 'andbox, orchestrator, console and fulfilment example';
  const apps = await step(`S${names} started`, () => startDemoApps(ports, all), {
    doing: `Starting s${names}`,
  });
  const end = once ? appEnded(apps) : Promise.race(apps.map((app) => keepRunning(app)));
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const register = () =>
    registerAccount({
      apiUrl,
      apiKey,
      merchantId: MERCHANT,
      providerKey: secrets.sandboxTestKey,
    });
  const prepare = async () => {
    await step('Provider account registered', register, {
      doing: 'Registering the provider account',
    });
    return consoleUsers(env);
  };
  const users = await Promise.race([prepare(), end]);
  const providerKeys = {
    test: secrets.sandboxTestKey,
    live: secrets.sandboxLiveKey,
    partner: secrets.partnerTestKey,
  };
  return { end, apiKey, apiUrl, providerKeys, brokers, databases, users };
};

/**
 * The database's address for the closing lines. The URL of an embedded database contains the
 * password, and that of a user's own database does not.
 * @param {string} url
 */
const databaseAddress = (url) => {
  if (process.env.DATABASE_URL === undefined) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/**
 * The time of the sandbox's clock if it is ahead of real time; otherwise null.
 * @param {number} port
 */
const clockAhead = async (port) => {
  const answer = await fetch(`http://127.0.0.1:${port}/sandbox/clock`);
  if (!answer.ok) return null;
  const { now } = await answer.json();
  if (Date.parse(now) < Date.now() + AHEAD_MS) return null;
  return now.slice(0, 16).replace('T', ' ');
};

/** @param {ReturnType<typeof portsOfDemo>} ports */
const sayAddresses = async (ports, started) => {
  const { apiKey, brokers, databases, providerKeys, users } = started;
  const at = (port, path = '') => cyan(`http://127.0.0.1:${port}${path}`);
  const line = (name, value) => say(`  ${name.padEnd(16)} ${value}`);
  say(`\n${bold('The demo keeps running: try it yourself')}\n`);
  line('Demo shop', at(ports.shop));
  line(
    'Fulfilment',
    `${at(ports.fulfilment)}  ${dim('another service: ships paid orders, read from Kafka')}`,
  );
  line('Console', at(ports.admin));
  for (const { name, role, password } of users) {
    const how = password === null ? 'with the password you chose' : `one-time password ${password}`;
    line('', `${name} ${dim(`(${role})`)}  ${how}`);
  }
  line('API reference', at(ports.api, '/docs'));
  line('API key', apiKey);
  line('Platform', PLATFORM);
  line('Merchant', MERCHANT);
  line('Sandbox', `${at(ports.sandbox, '/user-area')}  ${dim('its clock, faults and payouts')}`);
  line('  test key', `${providerKeys.test}  ${dim(`of the merchant ${MERCHANT}`)}`);
  line('  live key', `${providerKeys.live}  ${dim('to register another merchant with')}`);
  const ahead = await clockAhead(ports.sandbox);
  if (ahead !== null)
    line('Sandbox clock', `${ahead}, ahead of real time; it can be moved only forward`);
  line('PostgreSQL', cyan(databaseAddress(databases.orchestrator)));
  line('', cyan(databaseAddress(databases.sandbox)));
  line('', cyan(databaseAddress(databases.fulfilment)));
  line('Kafka', brokers);
  line('Metrics', `${at(ports.worker, '/metrics')}  ${at(ports.admin, '/metrics')}`);
  line('Logs', '.state/logs/');
  say(
    `\n${dim('Ctrl-C ends everything. `npm run demo -- --reset` deletes the data and starts again.')}`,
  );
};

/** @param {string} what */
const reportFailure = (what) => {
  say(`\n  ${red(what)} Logs: .state/logs/`);
  return false;
};

/** @returns {Promise<boolean>} whether all steps succeeded */
const runStories = async (ports, { apiUrl, apiKey, providerKeys, databases }) => {
  const module = pathToFileURL(join(ROOT, 'dist', 'tools', 'demo', 'stories.js')).href;
  const stories = await import(module);
  const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const paint = { dim, green };
  const fulfilmentUrl = `http://127.0.0.1:${ports.fulfilment}`;
  const parts = {
    apiUrl,
    apiKey,
    merchantId: MERCHANT,
    sandboxUrl,
    databaseUrl: databases.orchestrator,
    sandboxKey: providerKeys.test,
    partnerKey: providerKeys.partner,
    fulfilmentUrl,
    say,
    paint,
  };
  await step('A day of orders placed', () => stories.runFirstDay(parts), {
    doing: 'Placing a day of orders',
  });
  say(`\n${bold('One order, from the basket to the bank')}\n`);
  const orderId = await stories.runOrderStory(parts);
  if (orderId === null) return reportFailure('The order failed.');
  say(`\n${bold('The money of the order, from the payout to the ledger')}\n`);
  if (!(await stories.runMoneyStory(parts, orderId)))
    return reportFailure('The payout or the dispute did not reach the ledger.');
  await stories.leaveLapsing(parts);
  say(`\n${bold('One merchant, from the form to the first order')}\n`);
  if (!(await stories.runMerchantStory(parts)))
    return reportFailure('The merchant was not onboarded.');
  say();
  await step('Open cases left, for the console', () => stories.leaveOpenCases(parts), {
    doing: 'Creating open cases for the console',
  });
  await step('Another day of orders placed, for the console', () => stories.runLastDay(parts), {
    doing: 'Placing another day of orders',
  });
  keptStory(stateDir(HOME)).keep(orderId);
  return true;
};

const sayThatStoryHasRun = () => {
  say('\n  The story of an order and a merchant has run on this data before.');
  say(
    `  ${dim('`npm run demo -- --story` runs it again, which moves the clock on by about ten days.')}`,
  );
};

/**
 * @param {{ once: boolean, reset: boolean, story: boolean }} options `story`: whether the story is
 *   played even if data of an earlier run exist
 * @returns {Promise<number>} the exit code
 */
export const runDemo = async ({ once, reset, story }) => {
  say(`\n${bold('Payment orchestrator')} ${dim('· demo')}\n`);
  const ports = await preflight(reset);
  const started = await launch(ports, { once, reset });
  if (!once && !story && (await keptStory(stateDir(HOME)).hasRun(started))) {
    sayThatStoryHasRun();
  } else {
    const wentThrough = await Promise.race([runStories(ports, started), started.end]);
    if (once) return wentThrough ? 0 : 1;
  }
  await sayAddresses(ports, started);
  return started.end;
};
