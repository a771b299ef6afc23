/**
 * `npm run simulate -- [--seeds N] [--from S]`: runs the production code for orders on a simulated
 * network, database and provider. A seed determines each simulation. Exits with 0 only if every
 * invariant holds. A violation is printed with its seed and trace. `npm run simulate -- --nightly`
 * runs a million seeds, different ones each day. It stops at a failing seed, and prints the
 * smallest simulation that fails in the same way. `--orders`, `--without` and `--schedule` replay
 * such a smaller simulation. `npm run simulate -- --golden` creates missing histories and workflow
 * states in test/golden.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuild } from './infra/build.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT } from './infra/paths.mjs';
import { checkNode } from './infra/preflight.mjs';
import { say } from './infra/say.mjs';

const MAX = 4_294_967_295;
const NIGHTLY_SEEDS = 1_000_000;
/** The number of nights with different seeds. After these nights the seeds repeat. */
const NIGHTS = Math.floor(MAX / NIGHTLY_SEEDS);
const DAY_MS = 86_400_000;
/**
 * The minimum number of seeds for each process. The start of a process takes as long as about a
 * hundred seeds.
 */
const LEAST_SEEDS_OF_A_PROCESS = 500;

const usage = () =>
  new Failure(
    'usage: npm run simulate -- [--seeds N] [--from S] [--orders 1,2] [--without crash,lie] ' +
      '[--schedule N] | --nightly [--seeds N] [--from S] | --golden',
  );

/** @param {string | undefined} text @param {number} least */
const wholeNumber = (text, least) => {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < least || value > MAX) throw usage();
  return value;
};

/** @param {string | undefined} text separated by commas */
const listOf = (text) => {
  if (text === undefined || text === '') throw usage();
  return text.split(',');
};

const seedOfNight = () => 1 + (Math.floor(Date.now() / DAY_MS) % NIGHTS) * NIGHTLY_SEEDS;

const optionsOf = (args) => {
  const isNightly = args[0] === '--nightly';
  const options = isNightly
    ? { seeds: NIGHTLY_SEEDS, from: seedOfNight() }
    : { seeds: 2_000, from: 1 };
  const part = {};
  const rest = args.slice(isNightly ? 1 : 0);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '--seeds') options.seeds = wholeNumber(rest.shift(), 1);
    else if (name === '--from') options.from = wholeNumber(rest.shift(), 0);
    else if (name === '--schedule') part.schedule = wholeNumber(rest.shift(), 0);
    else if (name === '--without') part.without = listOf(rest.shift());
    else if (name === '--orders') {
      part.orders = listOf(rest.shift()).map((order) => wholeNumber(order, 1));
    } else throw usage();
  }
  const isPart = Object.keys(part).length > 0;
  if (isNightly && isPart) throw usage();
  const wanted = Math.ceil(options.seeds / LEAST_SEEDS_OF_A_PROCESS);
  const processes = isPart ? 1 : Math.min(availableParallelism(), wanted);
  return { ...options, part, processes, stopsAtFailure: isNightly };
};

const makeGolden = async () => {
  await ensurePackages();
  await ensureBuild();
  const make = pathToFileURL(join(ROOT, 'dist', 'test', 'golden', 'make.js')).href;
  const { makeGoldenHistories, makeGoldenWorkflows } = await import(make);
  const golden = join(ROOT, 'test', 'golden');
  const histories = await makeGoldenHistories(join(golden, 'histories'));
  const workflows = await makeGoldenWorkflows(golden);
  const names = [...histories, ...workflows.map((name) => `workflow of ${name}`)];
  say(
    names.length === 0
      ? 'Nothing is missing: test/golden has a history of every kind of order, and its workflows.'
      : `Created in test/golden, please review: ${names.join(', ')}`,
  );
  return 0;
};

await runTool(async () => {
  const args = process.argv.slice(2);
  if (args[0] === '--golden' && args.length === 1) return makeGolden();
  const options = optionsOf(args);
  checkNode();
  await ensurePackages();
  await ensureBuild();
  const builtOf = (name) =>
    import(pathToFileURL(join(ROOT, 'dist', 'test', 'simulation', `${name}.js`)).href);
  const isSingle = options.processes === 1 && !options.stopsAtFailure;
  const failed = isSingle
    ? await (await builtOf('main')).runSeeds({ ...options, say })
    : await (await builtOf('many-processes')).runInProcesses({ ...options, say });
  return failed.length === 0 ? 0 : 1;
});
