import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { lastLines, run } from '../infra/commands.mjs';
import { ensureImagesNode } from '../infra/other-node.mjs';

/**
 * The time limit of one run of specs. The longest takes a minute on an idle machine, and several
 * times as long beside other bugs.
 */
const SPECS_LIMIT_MS = 900_000;
/** The time limit of the simulated seeds, which take some ten seconds on an idle machine. */
const SIMULATION_LIMIT_MS = 900_000;
/**
 * The time limit of a run of the whole product. Chaos with 60 orders takes about four minutes alone
 * on an idle machine.
 */
const PRODUCT_LIMIT_MS = 1_800_000;

/**
 * The number of simulated seeds. They take a few seconds, and are enough to detect each bug that
 * the simulation must detect.
 */
const SEEDS = 300;
const SIMULATE = `
  const { runSeeds } = await import('./test/simulation/main.ts');
  const failed = await runSeeds({ seeds: ${SEEDS}, from: 1, say: console.log });
  console.log('failed seeds:', failed.length);`;

/** The results of a run that prove nothing about the bug. */
const BROKEN = 'did not run';
const TOO_LONG = 'exceeded its time limit';
const SOUND = 'sound';
const CAUGHT = 'caught';

/** Whether a test has detected the bug, by its result. @param {string} result */
export const isCaught = (result) => result.startsWith(CAUGHT);

/** @param {readonly string[]} args of Node @param {number} limitMs */
const runNode = async (folder, env, args, limitMs) =>
  run(await ensureImagesNode(), args, {
    cwd: folder,
    env,
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });

/**
 * A bug that makes the program fail with one of these errors was planted wrongly: each test that
 * reaches the place fails, whatever it tests.
 */
const PLANTED_WRONGLY =
  /ReferenceError: |SyntaxError: |error: (?:column|relation|function|operator) .* does not exist/;

/** The maximum number of unexpected failures that are printed. */
const SHOWN = 3;

/**
 * The result of a run that must fail in the expected way. If the run fails only in other ways, it
 * has not detected the bug.
 * @param {readonly string[]} failures that the run reports
 * @param {string | true} expected a part of the expected failure message; true, for a run without a
 *   bug, means any failure
 */
const resultOf = (failures, expected) => {
  if (failures.length === 0) return SOUND;
  if (expected !== true && failures.some((what) => what.includes(expected))) return CAUGHT;
  return `failed otherwise: ${[...new Set(failures)].slice(0, SHOWN).join(' | ')}`;
};

/**
 * The commands that run sources and specs. They are imported from the copy, because the copy may
 * contain other versions of them.
 */
const commandsOf = (folder) =>
  import(pathToFileURL(join(folder, 'tools/infra/specs/jest.mjs')).href);

/**
 * @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} args of Jest
 * @param {readonly string[]} bail empty if the specs after a failed one are run, too
 */
const jest = async (folder, env, args, bail = ['--bail']) => {
  const { JEST } = await commandsOf(folder);
  // The variable makes each run migrate new databases, because the bug may be in a migration.
  const own = { ...env, TEST_RUN: randomBytes(6).toString('hex') };
  const all = [...JEST, '--runInBand', ...bail, ...args];
  const { code, output } = await runNode(folder, own, all, SPECS_LIMIT_MS);
  if (code === null) return { result: TOO_LONG, output };
  // A spec that cannot be loaded does not detect the bug, because it would fail without the bug,
  // too.
  if (output.includes('Test suite failed to run')) return { result: BROKEN, output };
  if (PLANTED_WRONGLY.test(output))
    return { result: `${BROKEN}: the bug is planted wrongly`, output };
  if (code === 0 && /^Tests: .*passed/m.test(output)) return { result: SOUND, output };
  return { result: /^Tests: .*failed/m.test(output) ? CAUGHT : BROKEN, output };
};

/** The file and name of each failed test in Jest's output. @param {string} output of Jest */
const failuresIn = (output) =>
  output.split(/^(?=FAIL )/m).flatMap((part) => {
    const file = /^FAIL (\S+)/.exec(part)?.[1];
    const names = [...part.matchAll(/^ {2}● (.+)$/gm)].map(([, name]) => name);
    return file === undefined ? [] : names.map((name) => ({ file, name }));
  });

/** The first failed test in Jest's output. @param {string} output of Jest */
export const firstFailure = (output) => failuresIn(output)[0] ?? null;

/** A pattern that selects one test by its name. @param {string} name as Jest prints it */
const patternOf = (name) =>
  `^${name.replaceAll(' › ', ' ').replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`;

/**
 * Runs specs. The first test that fails is run again alone, because a test that fails only
 * sometimes does not detect the bug.
 * @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} paths
 * @param {readonly string[]} options of Jest
 */
const specs = async (folder, env, paths, options = []) => {
  const { result, output } = await jest(folder, env, [...options, ...paths]);
  if (result !== CAUGHT) return result;
  const failure = firstFailure(output);
  if (failure === null) return BROKEN;
  const { file, name } = failure;
  const again = await jest(folder, env, [...options, '--testNamePattern', patternOf(name), file]);
  return again.result === CAUGHT ? `${CAUGHT} by "${name}"` : `failed only once: "${name}"`;
};

/**
 * Runs the specs of several folders at once, if each folder has one planted bug and uses none of
 * the others. The first failed test of each folder is run again.
 * @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} paths
 * @returns {Promise<Readonly<Record<string, string>>>} the result of each path
 */
export const runSpecsOfFolders = async (folder, env, paths) => {
  const { result, output } = await jest(folder, env, paths, []);
  if (result !== CAUGHT) return Object.fromEntries(paths.map((path) => [path, result]));
  const failures = failuresIn(output);
  const first = new Map(
    paths.map((path) => [path, failures.find((one) => one.file.startsWith(path))]),
  );
  const found = [...first.values()].filter((one) => one !== undefined);
  const again = await jest(
    folder,
    env,
    ['--testNamePattern', found.map(({ name }) => patternOf(name)).join('|')].concat(
      found.map(({ file }) => file),
    ),
    [],
  );
  const repeated = failuresIn(again.output);
  const resultIn = (failure) => {
    if (failure === undefined) return SOUND;
    const { file, name } = failure;
    const isRepeated = repeated.some((one) => one.file === file && one.name === name);
    return isRepeated ? `${CAUGHT} by "${name}"` : `failed only once: "${name}"`;
  };
  return Object.fromEntries(paths.map((path) => [path, resultIn(first.get(path))]));
};

/** @param {string} folder @param {NodeJS.ProcessEnv} env @param {string | true} expected */
const simulation = async (folder, env, expected) => {
  const { SOURCES } = await commandsOf(folder);
  const args = [...SOURCES, '--input-type=module', '--eval', SIMULATE];
  const { code, output } = await runNode(folder, env, args, SIMULATION_LIMIT_MS);
  if (code === null) return TOO_LONG;
  if (!/^failed seeds: \d+$/m.test(output)) return BROKEN;
  // If the replay of a seed differs from its first run, the violations of the first run are printed
  // with "at first".
  const violated = /^  violated(?: at first)?: (.*)$/gm;
  const violations = [...output.matchAll(violated)].map(([, what]) => what);
  const isSound = output.includes('failed seeds: 0\n');
  return isSound === (violations.length === 0) ? resultOf(violations, expected) : BROKEN;
};

/**
 * Runs a tool that starts the whole product. Each run has a new seed, because a test must detect
 * the bug with every seed.
 * @param {string} folder @param {NodeJS.ProcessEnv} env @param {readonly string[]} args
 * @param {string | true} expected
 * @param {{ readonly passed: RegExp, readonly failed: RegExp }} lines of the tool's report
 */
const product = async (folder, env, args, expected, { passed, failed }) => {
  // Removes the addresses of servers, because the tool starts separate servers and kills some of
  // them.
  const { DATABASE_URL: _database, KAFKA_BROKERS: _brokers, ...own } = env;
  const { code, output } = await runNode(folder, own, args, PRODUCT_LIMIT_MS);
  if (code === null) return TOO_LONG;
  if (code === 0) return passed.test(output) ? SOUND : BROKEN;
  if (!failed.test(output)) return `${BROKEN}: ${lastLines(output, 1)}`;
  return resultOf(failuresOf(output), expected);
};

/**
 * The failed checks in the report of a tool, without those that failed only because the run was too
 * short or had too few kills or faults: their lines begin with "the run". @param {string} output
 */
export const failuresOf = (output) =>
  [...output.matchAll(/^ *✗ (?:\d+ +)?(.*)\n((?: {7}\S.*\n)*)/gm)].flatMap(([, what, lines]) => {
    const reasons = lines.split('\n').filter(Boolean);
    const isAboutTheRun =
      reasons.length > 0 && reasons.every((one) => one.startsWith('       the run:'));
    return isAboutTheRun ? [] : [what];
  });

/** Enough random sequences to catch each planted bug that the contract must catch. */
const CONTRACT_RUNS = 4_000;
/** The specs that compare the tables of the simulation with those of PostgreSQL. */
const CONTRACT = ['storage', 'jobs', 'queues'].map((name) => `test/simulation/${name}-contract`);
/** This number of sequences may take longer than the usual time limit of a test. */
const CONTRACT_OPTIONS = [`--testTimeout=${SPECS_LIMIT_MS}`];
const CHAOS = ['tools/chaos.mjs', '--orders', '60', '--infra', '--shape', 'one'];
const BOOKS = ['tools/books.mjs', '--days', '5'];

/**
 * Runs the tests that must detect the bug on the copy with the bug. Returns the result of each.
 * @param {import('./mutant.d.mts').Mutant['nets']} nets
 * @returns {Promise<Record<string, string>>}
 */
export const runNets = async (folder, env, nets) => {
  const found = {};
  if (nets.specs.length > 0) found.specs = await specs(folder, env, nets.specs);
  if (nets.contract) {
    const own = { ...env, CONTRACT_RUNS: `${CONTRACT_RUNS}` };
    found.contract = await specs(folder, own, CONTRACT, CONTRACT_OPTIONS);
  }
  if (nets.simulation !== undefined) {
    found.simulation = await simulation(folder, env, nets.simulation);
  }
  if (nets.chaos !== undefined) {
    const lines = { passed: / checks passed/, failed: / checks failed/ };
    found.chaos = await product(folder, env, CHAOS, nets.chaos, lines);
  }
  if (nets.books !== undefined) {
    const lines = { passed: /Our ledger equals/, failed: /Our ledger does NOT equal/ };
    found.books = await product(folder, env, BOOKS, nets.books, lines);
  }
  return found;
};
