/**
 * `npm run chaos -- [--orders N] [--seed N] [--shape one|apart] [--infra]`: kills our processes and
 * the fulfilment service while orders run and saga reactions fail, then checks the invariants.
 * Exits with 0 only if all invariants hold. `--shape apart` (the default) runs two apis and two
 * workers; `--shape one` runs two processes, each of which is api and worker. `--infra` kills
 * PostgreSQL and Kafka, too.
 */
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { checkKafkaTools, ensureKafkaJars } from './infra/kafka-jars.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { bold, say } from './infra/say.mjs';
import { startThrowawayServers } from './infra/throwaway-servers.mjs';
import { ensureCertificate } from './infra/tls.mjs';

const MAX_ORDERS = 100_000;
const MAX_SEED = 4_294_967_295;

const usage = () =>
  new Failure('usage: npm run chaos -- [--orders N] [--seed N] [--shape one|apart] [--infra]');

/** @param {string | undefined} text */
const shapeOf = (text) => {
  if (text !== 'one' && text !== 'apart') throw usage();
  return text;
};

/** @param {string | undefined} text @param {number} least @param {number} most */
const wholeNumber = (text, least, most) => {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < least || value > most) throw usage();
  return value;
};

const optionsOf = (args) => {
  const options = { orders: 200, seed: randomInt(MAX_SEED), infra: false, shape: 'apart' };
  const rest = [...args];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '--orders') options.orders = wholeNumber(rest.shift(), 1, MAX_ORDERS);
    else if (name === '--seed') options.seed = wholeNumber(rest.shift(), 0, MAX_SEED);
    else if (name === '--infra') options.infra = true;
    else if (name === '--shape') options.shape = shapeOf(rest.shift());
    else throw usage();
  }
  return options;
};

await runTool(async () => {
  const { orders, seed, infra, shape } = optionsOf(process.argv.slice(2));
  const { DATABASE_URL, KAFKA_BROKERS } = process.env;
  if (infra && (DATABASE_URL !== undefined || KAFKA_BROKERS !== undefined)) {
    throw new Failure(
      '--infra kills PostgreSQL and Kafka, so it needs the embedded ones: unset DATABASE_URL and KAFKA_BROKERS.',
    );
  }
  checkNode();
  checkDisk();
  await ensurePackages();
  if (KAFKA_BROKERS === undefined) {
    checkKafkaTools();
    await ensureKafkaJars();
  }
  await ensureBuild();
  const tls = await ensureCertificate();
  const alone = shape === 'one' ? ', api and worker as one process' : '';
  const more = `${alone}${infra ? ', servers killed too' : ''}`;
  say(`\n${bold('Chaos')}: ${orders} orders, seed ${seed}${more}\n`);
  const { env, killable } = await startThrowawayServers(`chaos-${process.pid}`);
  const main = pathToFileURL(join(ROOT, 'dist', 'tools', 'chaos', 'main.js')).href;
  const { runChaos } = await import(main);
  const logDir = stateDir('logs', 'chaos');
  rmSync(logDir, { recursive: true, force: true });
  const holds = await runChaos({
    servers: { databaseUrl: env.DATABASE_URL, brokers: env.KAFKA_BROKERS, tls },
    killable: infra ? killable : null,
    orders,
    seed,
    say,
    logDir,
    shape,
  });
  say(`Logs: ${logDir}`);
  return holds ? 0 : 1;
});
