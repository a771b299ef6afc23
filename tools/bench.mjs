/**
 * `npm run bench [-- sandbox|orders] [--only F] [--shape one|apart] [--quick] [--json FILE]`:
 * measures the product and compares it with reference programs on the same machine. The sandbox's
 * benches need no Kafka. `--only F` runs only the bench F. `--shape apart` runs api and worker as
 * two processes instead of one. `--quick` runs fewer rounds and does not count the database's work.
 * Three benches run separately, and exit with 0 only if they meet their goals. `-- reconcile`:
 * reconciles a day of 100,000 payments with its payout. `-- console [--orders N] [--rebuild]`: the
 * console's lists, its searches and its overview page. `-- growth [--events N]`: whole orders in a
 * database with two years of events, compared with a new database (10 million events need some 14
 * GB of disk). All benches run on the image's Node, because figures describe what runs in production.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { ensureBuild } from './infra/build.mjs';
import { ensureChromium } from './infra/chromium.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { checkKafkaTools, ensureKafkaJars } from './infra/kafka-jars.mjs';
import { runTool } from './infra/main.mjs';
import { ensureImagesNode } from './infra/other-node.mjs';
import { ROOT } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { supervise } from './infra/processes.mjs';
import { say } from './infra/say.mjs';
import { startThrowawayPostgres, startThrowawayServers } from './infra/throwaway-servers.mjs';
import { ensureCertificate } from './infra/tls.mjs';

const SANDBOX_NAMES = ['S1', 'S2', 'S3'];
const NAMES = ['F', 'R1', 'R3', 'R4', 'W', ...SANDBOX_NAMES];
const USAGE =
  `usage: npm run bench [-- sandbox|orders] [--only ${NAMES.join('|')}] [--shape one|apart] ` +
  '[--quick] [--json FILE], -- reconcile, ' +
  '-- console [--orders N] [--rebuild], or -- growth [--events N]';

const optionsOf = (args) => {
  const [first, ...rest] = args;
  if (first === 'sandbox') return { ...optionsOf(rest), only: SANDBOX_NAMES };
  if (first === 'orders') return { ...optionsOf(rest), only: ['F'] };
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      only: { type: 'string' },
      shape: { type: 'string', default: 'one' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { json = null, only, shape, quick } = values;
  if (only !== undefined && !NAMES.includes(only)) throw new Failure(USAGE);
  if (!['one', 'apart'].includes(shape)) throw new Failure(USAGE);
  return { json, only: only === undefined ? NAMES : [only], shape, quick };
};

/**
 * Server settings with which the bench can count the statements and the written WAL of an order.
 */
const COUNTING = {
  settings: { shared_preload_libraries: 'pg_stat_statements', wal_keep_size: '1GB' },
  // Starts Kafka without the Java flags for specs, which shorten the start but slow down the
  // broker.
  jvm: 'ordinary',
};

const startServers = async (runName, needsKafka) => {
  if (needsKafka) return (await startThrowawayServers(runName, COUNTING)).env;
  return { DATABASE_URL: (await startThrowawayPostgres(runName)).url, KAFKA_BROKERS: '' };
};

const ensureBroker = async () => {
  if (process.env.KAFKA_BROKERS !== undefined) return;
  checkKafkaTools();
  await ensureKafkaJars();
};

const bench = (name) => import(pathToFileURL(join(ROOT, 'dist', 'bench', `${name}.js`)).href);

const apartServer = async () => {
  await ensureBuild();
  return (await startThrowawayPostgres(`bench-${process.pid}`)).url;
};

/** Benches that run separately; each returns whether it met its goal. */
const APART = {
  reconcile: async () => (await bench('reconcile')).benchReconcile(await apartServer(), say),
  console: async (args) => {
    const { values } = parseArgs({
      args,
      options: { orders: { type: 'string', default: '1000000' }, rebuild: { type: 'boolean' } },
    });
    await ensureChromium();
    const databaseUrl = await apartServer();
    return (await bench('console-lists')).benchConsole({
      databaseUrl,
      orders: Number(values.orders),
      rebuild: values.rebuild === true,
      say,
    });
  },
  growth: async (args) => {
    const { values } = parseArgs({
      args,
      options: { events: { type: 'string', default: '10000000' } },
    });
    await ensureBroker();
    await ensureBuild();
    const tls = await ensureCertificate();
    const env = await startServers(`bench-${process.pid}`, true);
    const servers = { databaseUrl: env.DATABASE_URL, brokers: env.KAFKA_BROKERS, tls };
    return (await bench('growth')).benchGrowth({ ...servers, events: Number(values.events), say });
  },
};

await runTool(async () => {
  const [first = '', ...rest] = process.argv.slice(2);
  const apart = Object.hasOwn(APART, first) ? APART[first] : null;
  const options = apart === null ? optionsOf(process.argv.slice(2)) : null;
  checkNode();
  checkDisk();
  await ensurePackages();
  const node = await ensureImagesNode();
  if (node !== process.execPath) {
    const again = supervise(node, process.argv.slice(1), { name: 'The bench' });
    return (await again.exited).code ?? 1;
  }
  if (options === null) return (await apart(rest)) ? 0 : 1;
  const needsKafka = options.only.some((name) => !SANDBOX_NAMES.includes(name));
  if (needsKafka) await ensureBroker();
  await ensureBuild();
  const tls = await ensureCertificate();
  const env = await startServers(`bench-${process.pid}`, needsKafka);
  await (
    await bench('main')
  ).runBench({
    databaseUrl: env.DATABASE_URL,
    brokers: env.KAFKA_BROKERS,
    tls,
    say,
    ...options,
  });
  return 0;
});
