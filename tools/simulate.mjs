/**
 * `npm run simulate -- [--seeds N] [--from S]`: runs the production code for orders on a simulated
 * network, database and provider; a seed determines each simulation. Exits with 0 only if every
 * invariant holds; a violation is printed with its seed and trace. `npm run simulate -- --golden`
 * creates the missing histories of test/golden.
 */
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

const usage = () => new Failure('usage: npm run simulate -- [--seeds N] [--from S] | --golden');

/** @param {string | undefined} text @param {number} least */
const wholeNumber = (text, least) => {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < least || value > MAX) throw usage();
  return value;
};

const optionsOf = (args) => {
  const options = { seeds: 2_000, from: 1 };
  const rest = [...args];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '--seeds') options.seeds = wholeNumber(rest.shift(), 1);
    else if (name === '--from') options.from = wholeNumber(rest.shift(), 0);
    else throw usage();
  }
  return options;
};

const makeGolden = async () => {
  await ensurePackages();
  await ensureBuild();
  const make = pathToFileURL(join(ROOT, 'dist', 'test', 'golden', 'make.js')).href;
  const { makeGoldenHistories } = await import(make);
  const names = await makeGoldenHistories(join(ROOT, 'test', 'golden', 'histories'));
  say(
    names.length === 0
      ? 'No history is missing: test/golden has one for every kind of order.'
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
  const main = pathToFileURL(join(ROOT, 'dist', 'test', 'simulation', 'main.js')).href;
  const { runSeeds } = await import(main);
  const failed = await runSeeds({ ...options, say });
  return failed.length === 0 ? 0 : 1;
});
