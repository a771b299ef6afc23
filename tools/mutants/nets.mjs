import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { run } from '../infra/commands.mjs';

/** The time limit of one run of specs; the longest takes a minute on an idle machine. */
const LIMIT = { timeout: 300_000, killSignal: 'SIGKILL' };

/**
 * The number of simulated seeds: enough to catch each planted bug that the simulation must catch,
 * in a few seconds.
 */
const SEEDS = 300;
const SIMULATE = `
  const { runSeeds } = await import('./test/simulation/main.ts');
  const failed = await runSeeds({ seeds: ${SEEDS}, from: 1, say: () => {} });
  console.log('failed seeds:', failed.length);`;

/** The results of a run of tests: all passed, a test failed, or the tests could not run. */
const [SOUND, CAUGHT, BROKEN] = ['sound', 'caught', 'did not run'];

/**
 * The commands that run the sources and specs of the copy. These commands are imported from the
 * copy, because the copy's files may differ from those of this checkout.
 */
const commandsOf = (folder) =>
  import(pathToFileURL(join(folder, 'tools/infra/specs/jest.mjs')).href);

/** @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} paths */
const specs = async (folder, env, paths) => {
  const { JEST } = await commandsOf(folder);
  const args = [...JEST, '--runInBand', '--bail', ...paths];
  // Each run migrates new databases, because the planted bug may be in a migration.
  const own = { ...env, TEST_RUN: randomBytes(6).toString('hex') };
  const { code, output } = await run(process.execPath, args, { cwd: folder, env: own, ...LIMIT });
  // The run exceeded its time limit. The bug counts as caught, because it probably causes an
  // endless loop.
  if (code === null) return CAUGHT;
  // The bug does not count as caught, because a spec that cannot be loaded fails with or without
  // the bug.
  if (output.includes('Test suite failed to run')) return BROKEN;
  if (code === 0 && /^Tests: .*passed/m.test(output)) return SOUND;
  return /^Tests: .*failed/m.test(output) ? CAUGHT : BROKEN;
};

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
const simulation = async (folder, env) => {
  const { SOURCES } = await commandsOf(folder);
  const args = [...SOURCES, '--input-type=module', '--eval', SIMULATE];
  const { output } = await run(process.execPath, args, { cwd: folder, env });
  const [, failed] = /failed seeds: (\d+)/.exec(output) ?? [];
  if (failed === undefined) return BROKEN;
  return failed === '0' ? SOUND : CAUGHT;
};

/**
 * The time limit of a run of the whole product. Chaos with 60 orders took two to three minutes.
 */
const RUN_LIMIT = { timeout: 600_000, killSignal: 'SIGKILL' };

/**
 * Runs a tool that starts the whole product. The seed is new each time, because a bug must be
 * caught whatever the seed.
 * @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} args
 * @param {{ readonly passed: RegExp, readonly failed: RegExp }} lines of the tool's report
 */
const product = async (folder, env, args, { passed, failed }) => {
  // The tool starts servers of its own, some of which it kills.
  const { DATABASE_URL: _database, KAFKA_BROKERS: _brokers, ...own } = env;
  const options = { cwd: folder, env: own, ...RUN_LIMIT };
  const { code, output } = await run(process.execPath, args, options);
  if (code === null) return CAUGHT; // Some work never ended.
  if (code === 0 && passed.test(output)) return SOUND;
  return failed.test(output) ? CAUGHT : BROKEN;
};

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
const chaos = (folder, env) =>
  product(folder, env, ['tools/chaos.mjs', '--orders', '60', '--infra', '--shape', 'one'], {
    passed: / checks passed/,
    failed: / checks failed/,
  });

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
const books = (folder, env) =>
  product(folder, env, ['tools/books.mjs', '--days', '5'], {
    passed: /Our ledger equals/,
    failed: /Our ledger does NOT equal/,
  });

/**
 * Runs the tests ("nets") on the copy with the planted bug; they must fail.
 * @param {import('./mutant.d.mts').Mutant['nets']} nets
 * @returns {Promise<Record<string, string>>}
 */
export const runNets = async (folder, env, nets) => ({
  ...(nets.specs.length > 0 && { specs: await specs(folder, env, nets.specs) }),
  ...(nets.simulation && { simulation: await simulation(folder, env) }),
  ...(nets.chaos && { chaos: await chaos(folder, env) }),
  ...(nets.books && { books: await books(folder, env) }),
});
