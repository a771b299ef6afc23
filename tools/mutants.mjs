/**
 * `npm run mutants [-- --only TEXT] [--net specs|simulation|contract|chaos|books] [--at-once N]`:
 * tests the tests. It plants each bug alone in a copy of the checkout and runs the tests that must
 * detect the bug: specs, the simulation, the contract between simulated tables and PostgreSQL,
 * chaos or books. Exits with 0 only if all these tests pass without a bug, and each bug makes each
 * of its tests fail in the way that the list of bugs names. `--only`: only bugs whose name contains
 * the text. `--net`: only this kind of test. `--at-once`: how many bugs are tested at the same time,
 * each in a separate copy.
 */
import { parseArgs } from 'node:util';

import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { say } from './infra/say.mjs';
import { ensureBroker, POSTGRES_OF_SPECS, tlsOfSpecs } from './infra/suite.mjs';
import { startThrowawayServers } from './infra/throwaway-servers.mjs';
import { Copy } from './mutants/copy.mjs';
import { MUTANTS } from './mutants/list.mjs';
import { isCaught, runNets } from './mutants/nets.mjs';

const NAME_LENGTH = 90;
/** The kinds of tests besides specs, beginning with the one that takes longest. */
const KINDS = ['chaos', 'books', 'simulation', 'contract'];
/**
 * How many bugs are tested at the same time by default. Chaos waits most of the time, and uses a
 * quarter of two cores.
 */
const AT_ONCE = '3';
/** How many paths of specs run together without a bug, so that each run ends within its limit. */
const SPECS_TOGETHER = 8;

const line = (name, found) =>
  say(
    `${name.padEnd(NAME_LENGTH)} ${Object.entries(found)
      .map(([net, result]) => `${net} ${result}`)
      .join(', ')}`,
  );

/**
 * The tests of all bugs, without duplicates, in parts that can run at the same time. They begin
 * before the first bug is planted, and must all pass.
 * @param {readonly import('./mutants/mutant.d.mts').Mutant[]} mutants
 */
const withoutBug = (mutants) => {
  const name = 'without a bug';
  const specs = [...new Set(mutants.flatMap(({ nets }) => nets.specs))];
  const kinds = KINDS.filter((kind) => mutants.some(({ nets }) => nets[kind] !== undefined));
  return [
    ...kinds.map((kind) => ({ name, nets: { specs: [], [kind]: true } })),
    ...Array.from({ length: Math.ceil(specs.length / SPECS_TOGETHER) }, (_, part) => ({
      name,
      nets: { specs: specs.slice(part * SPECS_TOGETHER, (part + 1) * SPECS_TOGETHER) },
    })),
  ];
};

/**
 * The tests of one kind that must detect the bug; null if there is none of this kind.
 * @param {import('./mutants/mutant.d.mts').Mutant['nets']} nets @param {string | undefined} net
 */
const onlyNet = (nets, net) => {
  if (net === undefined) return nets;
  if (net === 'specs') return nets.specs.length > 0 ? { specs: nets.specs } : null;
  if (KINDS.includes(net)) return nets[net] === undefined ? null : { specs: [], [net]: nets[net] };
  throw new Failure('--net must be specs, simulation, contract, chaos or books');
};

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      net: { type: 'string' },
      'at-once': { type: 'string', default: AT_ONCE },
    },
  });
  const atOnce = Number(values['at-once']);
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new Failure('--at-once must be 1 or more');
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only)).flatMap((mutant) => {
    const nets = onlyNet(mutant.nets, values.net);
    return nets === null ? [] : [{ ...mutant, nets }];
  });
  if (mutants.length === 0) throw new Failure('no planted bug matches both --only and --net');
  checkNode();
  checkDisk();
  await ensurePackages();
  await ensureBroker();
  const tls = await tlsOfSpecs();
  const servers = await startThrowawayServers(`mutants-${process.pid}`, POSTGRES_OF_SPECS);
  const env = { ...process.env, ...tls, ...servers.env };
  // The bugs with the longest tests first, so that no test runs alone at the end.
  const longestFirst = mutants.toSorted(
    (one, other) => Number('chaos' in other.nets) - Number('chaos' in one.nets),
  );
  const waiting = [...withoutBug(mutants), ...longestFirst];
  const failed = { withoutBug: 0, withBug: 0 };
  const test = async (index) => {
    const copy = new Copy(`tree-${index}`);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, nets, file } = next;
      const run = () => runNets(copy.folder, env, nets);
      const found = await (file === undefined ? run() : copy.with(next, run));
      line(name, found);
      const results = Object.values(found);
      if (file !== undefined) failed.withBug += results.filter((one) => !isCaught(one)).length;
      else if (results.some((one) => one !== 'sound')) failed.withoutBug += 1;
      // The results of tests that fail without a bug would say nothing.
      if (failed.withoutBug > 0) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => test(index)));
  if (failed.withoutBug > 0) return 1;
  say(
    `${mutants.length} planted bugs, ${failed.withBug} not caught by a test that must catch them`,
  );
  return failed.withBug === 0 ? 0 : 1;
});
