import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';

import { ensureBuild } from './build.mjs';
import { CHECK_NAMES, isUnitPath, runChecks } from './checks.mjs';
import { ensureChromium } from './chromium.mjs';
import { cpuSecondsOfTree } from './cpu-seconds.mjs';
import { dropDatabase } from './databases.mjs';
import { ensurePackages } from './install.mjs';
import { checkKafkaTools, ensureKafkaJars } from './kafka-jars.mjs';
import { ensureImagesNode } from './other-node.mjs';
import { ROOT, stateDir } from './paths.mjs';
import { checkDisk, checkNode } from './preflight.mjs';
import { scratchDir, supervise } from './processes.mjs';
import { say } from './say.mjs';
import { JEST } from './specs/jest.mjs';
import { startThrowawayServers } from './throwaway-servers.mjs';
import { ensureCertificate } from './tls.mjs';

/** @param {string} resultFile */
const countsOf = (resultFile) => {
  if (!existsSync(resultFile)) return { passed: 0, failed: 0, skipped: 0 };
  const result = JSON.parse(readFileSync(resultFile, 'utf8'));
  return {
    passed: result.numPassedTests,
    // A spec file that cannot be loaded reports no tests, so it counts as one failed test.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
};

/**
 * The number of Jest's workers. It exceeds the two cores of a CI machine, because specs spend more
 * than half of their time waiting for servers and clocks.
 */
const WORKERS = 6;

/** The paths in the arguments of Jest, without options and without the pattern after `-t`. */
const pathsIn = (args) =>
  args
    .filter((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-t')
    .map((path) => path.replace(/^\.\//, ''));

/**
 * Whether the path names a single spec; the ending `.spec.ts` may be omitted. @param {string} path
 */
const isOneSpec = (path) =>
  existsSync(join(ROOT, `${path.replace(/(?:\.spec)?(?:\.ts)?$/, '')}.spec.ts`));

/**
 * The number of Jest's workers. For single specs there is one worker for each, because Jest starts
 * all workers at once, and even an unused worker takes a CPU second.
 * @param {readonly string[]} args
 */
const workersFor = (args) => {
  const paths = pathsIn(args);
  return paths.length > 0 && paths.every(isOneSpec) ? Math.min(paths.length, WORKERS) : WORKERS;
};

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @param {string} resultFile */
export const runJest = async (args, env, resultFile) => {
  const node = await ensureImagesNode();
  // Programs that specs start by the name `node` run on the same Node.
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const jest = supervise(
    node,
    [...JEST, `--maxWorkers=${workersFor(args)}`, '--json', `--outputFile=${resultFile}`, ...args],
    { name: 'Jest', cwd: ROOT, env: { ...process.env, PATH, ...env } },
  );
  const { code } = await jest.exited;
  return code ?? 1;
};

/**
 * Whether the specs need compiled code. Specs of whole flows start compiled apps. Specs of apps,
 * libs and packages load the sources.
 */
const needsBuild = (args) => {
  const paths = pathsIn(args);
  return paths.length === 0 || paths.some((path) => !/^(libs|apps|packages)(\/|$)/.test(path));
};

const needsServers = (args) => {
  const paths = pathsIn(args);
  return paths.length === 0 || !paths.every(isUnitPath);
};

/** Downloads Kafka if it is missing, unless KAFKA_BROKERS is set. */
export const ensureBroker = async () => {
  if (process.env.KAFKA_BROKERS !== undefined) return;
  checkKafkaTools();
  await ensureKafkaJars();
};

/** The environment variables for specs with the paths of the development certificate. */
export const tlsOfSpecs = async () => {
  const { certFile, keyFile, caFile } = await ensureCertificate();
  return { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile };
};

/** @param {readonly Promise<unknown>[]} works waits for all of them, even if one has failed */
const allOf = async (works) => {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/** @param {readonly string[]} args of Jest @param {boolean} hasServers */
const setUp = async (args, hasServers) => {
  checkNode();
  checkDisk();
  await ensurePackages();
  // The checks run only before the whole suite, because a failed check prevents the specs.
  const checks = args.length === 0 ? CHECK_NAMES.filter((name) => name !== 'unit') : [];
  await allOf([
    runChecks(checks),
    ensureImagesNode(),
    ...(hasServers ? [ensureBroker(), ensureChromium()] : []),
    ...(needsBuild(args) ? [ensureBuild({ areTypesChecked: checks.includes('types') })] : []),
  ]);
  return tlsOfSpecs();
};

/**
 * PostgreSQL settings for specs. fsync is off: data is then lost only if the machine crashes, not
 * if a process ends. Specs that kill PostgreSQL start their own server.
 */
export const POSTGRES_OF_SPECS = {
  inMemory: true,
  settings: {
    fsync: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    jit: 'off',
    // Connections of specs are short, and PostgreSQL would plan each statement anew for its first
    // five executions.
    plan_cache_mode: 'force_generic_plan',
  },
};

/**
 * The pool size of each app in specs. It is small, because PostgreSQL plans every statement again
 * for each new connection, which takes longer than most specs.
 */
const CONNECTIONS = { DATABASE_POOL_SIZE: '4' };

const SLOWEST = 10;

/**
 * Prints which servers and which specs used the most CPU time.
 * @param {string} cpuFile
 * @param {Record<string, { pid?: number } | undefined>} servers
 */
const sayCpuSeconds = (cpuFile, servers) => {
  if (!existsSync(cpuFile)) return;
  const lines = readFileSync(cpuFile, 'utf8').trimEnd().split('\n');
  const specs = lines.map((line) => JSON.parse(line));
  const sum = specs.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0);
  say(`\nCPU seconds: ${sum.toFixed(0)} of ${specs.length} spec files and their processes`);
  for (const [name, server] of Object.entries(servers)) {
    if (server?.pid === undefined) continue;
    say(`             ${cpuSecondsOfTree(server.pid).toFixed(0)} of ${name}`);
  }
  const slowest = specs.toSorted((one, other) => other.cpuSeconds - one.cpuSeconds);
  for (const { spec, cpuSeconds } of slowest.slice(0, SLOWEST)) {
    say(`${cpuSeconds.toFixed(1).padStart(12)} ${relative(ROOT, spec)}`);
  }
};

/** @param {readonly string[]} args of Jest @returns {Promise<number>} the exit code */
export const runSuite = async (args) => {
  const hasServers = needsServers(args);
  const tls = await setUp(args, hasServers);
  const runName = `test-${process.pid}`;
  const { env, killable } = hasServers
    ? await startThrowawayServers(runName, POSTGRES_OF_SPECS)
    : { env: {}, killable: {} };
  const cpuFile = join(stateDir('logs'), 'cpu-seconds.ndjson');
  rmSync(cpuFile, { force: true });
  const resultFile = join(scratchDir(stateDir('run', runName)), 'results.json');
  say();
  // The id of this run. Specs copy migrated template databases whose names contain it.
  const run = randomBytes(6).toString('hex');
  const code = await runJest(
    args,
    { ...CONNECTIONS, ...tls, ...env, TEST_RUN: run, TEST_CPU_FILE: cpuFile },
    resultFile,
  );
  for (const shape of hasServers ? ['orchestrator', 'sandbox'] : []) {
    await dropDatabase(env.DATABASE_URL, `template_${shape}_${run}`);
  }
  sayCpuSeconds(cpuFile, killable);
  const { passed, failed, skipped } = countsOf(resultFile);
  say(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code === 0 && failed === 0 && passed > 0 ? 0 : 1;
};
