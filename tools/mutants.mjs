/**
 * `npm run mutants [-- --only TEXT]`: plants one bug at a time in a copy of the checkout and runs
 * the tests (specs or the simulation) that must fail because of this bug. Exits with 0 only if all
 * these tests pass without a bug, and each bug makes each of its tests fail. `--only`: only the
 * bugs whose name contains the text.
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
import { runNets } from './mutants/nets.mjs';

const NAME_LENGTH = 76;

const line = (name, found) =>
  say(
    `${name.padEnd(NAME_LENGTH)} ${Object.entries(found)
      .map(([net, result]) => `${net} ${result}`)
      .join(', ')}`,
  );

/**
 * The tests ("nets") of all bugs, without duplicates.
 * @param {readonly import('./mutants/mutant.d.mts').Mutant[]} mutants
 */
const netsOf = (mutants) => ({
  specs: [...new Set(mutants.flatMap(({ nets }) => nets.specs))],
  simulation: mutants.some(({ nets }) => nets.simulation === true),
});

await runTool(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only));
  if (mutants.length === 0) throw new Failure(`no planted bug's name contains "${values.only}"`);
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
    missed += Object.values(found).filter((result) => result !== 'caught').length;
  }
  say(
    `${mutants.length} planted bugs, ${missed} not caught by the specs or the simulation that must catch them`,
  );
  return missed === 0 ? 0 : 1;
});
