/**
 * `npm run failover -- [--orders N] [--seed N]`: runs orders while a PostgreSQL primary is killed
 * and its synchronous standby promoted, and while brokers of a Kafka cluster are killed, restarted
 * and suspended; then checks the invariants. Afterwards it restores a database to a time before a
 * refund, and checks that the payer receives the refund once. Exits with 0 only if everything holds.
 * `--orders` is the number of orders in each of the five stages, 18 by default.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { ensurePackages } from './infra/install.mjs';
import { checkKafkaTools, ensureKafkaJars } from './infra/kafka-jars.mjs';
import { runTool } from './infra/main.mjs';
import { orderOptions } from './infra/order-options.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { scratchDir } from './infra/processes.mjs';
import { bold, say } from './infra/say.mjs';
import { ensureCertificate } from './infra/tls.mjs';

await runTool(async () => {
  const usage = 'npm run failover -- [--orders N] [--seed N]';
  const { orders, seed } = orderOptions(process.argv.slice(2), { usage, orders: 18 });
  checkNode();
  checkDisk();
  await ensurePackages();
  checkKafkaTools();
  await ensureKafkaJars();
  await ensureBuild();
  const tls = await ensureCertificate();
  say(`\n${bold('Failover')}: ${orders} orders in each stage, seed ${seed}\n`);
  const logDir = stateDir('logs', 'failover');
  rmSync(logDir, { recursive: true, force: true });
  const main = pathToFileURL(join(ROOT, 'dist', 'tools', 'failover', 'main.js')).href;
  const { runFailover, runRestore } = await import(main);
  const options = {
    tls,
    dir: scratchDir(stateDir('run', `failover-${process.pid}`)),
    logDir,
    password: randomBytes(18).toString('hex'),
    seed,
    say,
  };
  const holds = [await runFailover({ ...options, orders }), await runRestore(options)];
  say(`Logs: ${logDir}`);
  return holds.every(Boolean) ? 0 : 1;
});
