/**
 * `npm run bench [-- sandbox] [--only R2] [--json FILE]`: measures against yardsticks in the same
 * run; the sandbox's parts need no Kafka. `-- reconcile`: a day of 100,000 payments against its
 * payout; 0 only within its goal.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { checkJava } from './infra/java.mjs';
import { ensureKafkaJars } from './infra/kafka-jars.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { say } from './infra/say.mjs';
import { startThrowawayPostgres, startThrowawayServers } from './infra/throwaway-servers.mjs';
import { ensureCertificate } from './infra/tls.mjs';

const SANDBOX_NAMES = ['S1', 'S2', 'S3'];
const NAMES = ['R1', 'R2', 'R3', 'R4', ...SANDBOX_NAMES];
const USAGE =
  `usage: npm run bench [-- sandbox] [--only ${NAMES.join('|')}] [--json FILE], or -- reconcile`;

const optionsOf = (args) => {
  const [first, ...rest] = args;
  if (first === 'sandbox') return { ...optionsOf(rest), only: SANDBOX_NAMES };
  const options = { json: null, only: NAMES };
  for (let index = 0; index < args.length; index += 2) {
    const [name, value] = args.slice(index, index + 2);
    if (name === '--json' && value !== undefined) options.json = value;
    else if (name === '--only' && NAMES.includes(value)) options.only = [value];
    else throw new Failure(USAGE);
  }
  return options;
};

const startServers = async (runName, needsKafka) => {
  if (needsKafka) return (await startThrowawayServers(runName)).env;
  return { DATABASE_URL: (await startThrowawayPostgres(runName)).url, KAFKA_BROKERS: '' };
};

const bench = (name) => import(pathToFileURL(join(ROOT, 'dist', 'bench', `${name}.js`)).href);

/** Whether a day was reconciled within its goal. */
const reconcileDay = async () => {
  await ensureBuild();
  const { url } = await startThrowawayPostgres(`bench-${process.pid}`);
  return (await bench('reconcile')).benchReconcile(url, say);
};

await runTool(async () => {
  const args = process.argv.slice(2);
  const isReconcile = args.join() === 'reconcile';
  const options = isReconcile ? null : optionsOf(args);
  checkNode();
  checkDisk();
  await ensurePackages();
  if (options === null) return (await reconcileDay()) ? 0 : 1;
  const needsKafka = options.only.some((name) => !SANDBOX_NAMES.includes(name));
  if (needsKafka && process.env.KAFKA_BROKERS === undefined) {
    checkJava();
    await ensureKafkaJars();
  }
  await ensureBuild();
  const tls = await ensureCertificate();
  const env = await startServers(`bench-${process.pid}`, needsKafka);
  await (await bench('main')).runBench({
    databaseUrl: env.DATABASE_URL, brokers: env.KAFKA_BROKERS, tls, say, ...options,
  });
  return 0;
});
