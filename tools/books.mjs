/**
 * `npm run books -- [--days N] [--seed N]`: runs days of orders, refunds, disputes, returned debits
 * and faults, then compares our ledger with the provider's books. Exits with 0 only if all amounts
 * are equal to the minor unit.
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

const MAX = { days: 1_000, seed: 4_294_967_295 };

const optionsOf = (args) => {
  const options = { days: 30, seed: randomInt(MAX.seed) };
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index]?.replace(/^--/, '');
    const value = Number(args[index + 1]);
    const isKnown = Object.hasOwn(options, name) && /^\d+$/.test(args[index + 1] ?? '');
    if (!isKnown || value > MAX[name] || (name === 'days' && value < 1)) {
      throw new Failure('usage: npm run books -- [--days N] [--seed N]');
    }
    options[name] = value;
  }
  return options;
};

await runTool(async () => {
  const { days, seed } = optionsOf(process.argv.slice(2));
  checkNode();
  checkDisk();
  await ensurePackages();
  if (process.env.KAFKA_BROKERS === undefined) {
    checkKafkaTools();
    await ensureKafkaJars();
  }
  await ensureBuild();
  const tls = await ensureCertificate();
  say(`\n${bold('Books')}: ${days} days, seed ${seed}\n`);
  const { env } = await startThrowawayServers(`books-${process.pid}`);
  const main = pathToFileURL(join(ROOT, 'dist', 'tools', 'books', 'main.js')).href;
  const { runAndCompare } = await import(main);
  const logDir = stateDir('logs', 'books');
  rmSync(logDir, { recursive: true, force: true });
  const holds = await runAndCompare({
    servers: { databaseUrl: env.DATABASE_URL, brokers: env.KAFKA_BROKERS, tls },
    days,
    seed,
    say,
    logDir,
  });
  say(`Logs: ${logDir}`);
  return holds ? 0 : 1;
});
