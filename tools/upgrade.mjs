/**
 * `npm run upgrade-test -- [--orders N] [--seed N]`: builds the last release of releases.json,
 * upgrades it to this checkout while orders run, rolls back, and upgrades again, then checks the
 * invariants. Exits with 0 only if all of them hold. `--orders` is the number of orders in each of
 * the six phases, 12 by default.
 */
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { bold, say } from './infra/say.mjs';
import { ensureBroker } from './infra/suite.mjs';
import { startThrowawayServers } from './infra/throwaway-servers.mjs';
import { ensureCertificate } from './infra/tls.mjs';
import { ensureRelease, lastRelease } from './upgrade/release.mjs';

const MAX_ORDERS = 10_000;
const MAX_SEED = 4_294_967_295;

/** @param {string | undefined} text @param {number} max */
const wholeNumber = (text, max) => {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value > max) {
    throw new Failure('usage: npm run upgrade-test -- [--orders N] [--seed N]');
  }
  return value;
};

const optionsOf = (args) => {
  const options = { orders: 12, seed: randomInt(MAX_SEED) };
  for (let at = 0; at < args.length; at += 2) {
    if (args[at] === '--orders') options.orders = wholeNumber(args[at + 1], MAX_ORDERS);
    else if (args[at] === '--seed') options.seed = wholeNumber(args[at + 1], MAX_SEED);
    else wholeNumber(undefined, 0);
  }
  return options;
};

await runTool(async () => {
  const { orders, seed } = optionsOf(process.argv.slice(2));
  checkNode();
  checkDisk();
  await ensurePackages();
  await ensureBroker();
  await ensureBuild();
  const release = lastRelease();
  const folder = await ensureRelease(release);
  const tls = await ensureCertificate();
  say(`\n${bold('Upgrade')}: from ${release.version} to this checkout and back, seed ${seed}\n`);
  const { env } = await startThrowawayServers(`upgrade-${process.pid}`);
  const logDir = stateDir('logs', 'upgrade');
  rmSync(logDir, { recursive: true, force: true });
  const run = pathToFileURL(join(ROOT, 'dist', 'tools', 'upgrade', 'run.js')).href;
  const { runUpgrade } = await import(run);
  const holds = await runUpgrade({
    servers: { databaseUrl: env.DATABASE_URL, brokers: env.KAFKA_BROKERS, tls },
    lastRelease: folder,
    orders,
    seed,
    logDir,
    say,
  });
  say(`Logs: ${logDir}`);
  return holds ? 0 : 1;
});
