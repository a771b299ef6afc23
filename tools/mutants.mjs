/**
 * `npm run mutants [-- --only TEXT] [--net specs|simulation|contract|chaos|books]`: tests the
 * tests. It plants one bug at a time in a copy of the checkout and runs the tests that must detect
 * the bug: specs, the simulation, the contract between simulated tables and PostgreSQL, chaos or
 * books. Exits with 0 only if all these tests pass without a bug, and each bug makes each of its
 * tests fail in the way that the list of bugs names. `--only`: only bugs whose name contains the
 * text. `--net`: only this kind of test.
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

const NAME_LENGTH = 76;

const line = (name, found) =>
  say(
    `${name.padEnd(NAME_LENGTH)} ${Object.entries(found)
      .map(([net, result]) => `${net} ${result}`)
      .join(', ')}`,
  );

/**
 * The tests of all bugs, without duplicates. They first run without a bug, and must then all pass.
 * @param {readonly import('./mutants/mutant.d.mts').Mutant[]} mutants
 */
const netsOf = (mutants) => {
  const anyNames = (net) =>
    mutants.some(({ nets }) => nets[net] !== undefined) ? true : undefined;
  return {
    specs: [...new Set(mutants.flatMap(({ nets }) => nets.specs))],
    simulation: anyNames('simulation'),
    contract: anyNames('contract'),
    chaos: anyNames('chaos'),
    books: anyNames('books'),
  };
};

/**
 * The tests of one kind that must detect the bug; null if there is none of this kind.
 * @param {import('./mutants/mutant.d.mts').Mutant['nets']} nets @param {string | undefined} net
 */
const onlyNet = (nets, net) => {
  switch (net) {
    case undefined:
      return nets;
    case 'specs':
      return nets.specs.length > 0 ? { specs: nets.specs } : null;
    case 'simulation':
    case 'contract':
    case 'chaos':
    case 'books':
      return nets[net] === undefined ? null : { specs: [], [net]: nets[net] };
    default:
      throw new Failure('--net must be specs, simulation, contract, chaos or books');
  }
};

await runTool(async () => {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, net: { type: 'string' } },
  });
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
  const copy = new Copy();
  const without = await runNets(copy.folder, env, netsOf(mutants));
  line('without a bug', without);
  if (Object.values(without).some((result) => result !== 'sound')) return 1;
  let missed = 0;
  for (const mutant of mutants) {
    const found = await copy.with(mutant, () => runNets(copy.folder, env, mutant.nets));
    line(mutant.name, found);
    missed += Object.values(found).filter((result) => !isCaught(result)).length;
  }
  say(`${mutants.length} planted bugs, ${missed} not caught by a test that must catch them`);
  return missed === 0 ? 0 : 1;
});
