/**
 * `npm run upgrade-test -- [--orders N] [--seed N]`: builds the last release of releases.json,
 * upgrades it to this checkout while orders run, rolls back, and upgrades again, then checks the
 * invariants. Exits with 0 only if all invariants hold. `--orders` is the number of orders in each
 * of the six phases, 12 by default.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { orderOptions } from './infra/order-options.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { bold, say } from './infra/say.mjs';
import { ensureBroker } from './infra/suite.mjs';
import { startThrowawayServers } from './infra/throwaway-servers.mjs';
import { ensureCertificate } from './infra/tls.mjs';
import { ensureRelease, lastRelease } from './upgrade/release.mjs';

await runTool(async () => {
  const usage = 'npm run upgrade-test -- [--orders N] [--seed N]';
  const { orders, seed } = orderOptions(process.argv.slice(2), { usage, orders: 12 });
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
