import { Copy } from './copy.mjs';
import { MUTANTS } from './list.mjs';
import { isCaught, runNets } from './nets.mjs';

/** One bug for each folder of domain rules. (`npm run mutants` plants all bugs.) */
const SAMPLE = [
  'captures may exceed the authorized amount',
  'a refund is recorded on the order twice',
  'a payout goes back to an earlier status',
  'the polling watermark passes a day that has not ended',
];

/**
 * Removes the variable, because the CPU time of these runs is already part of this spec's CPU time.
 */
const { TEST_CPU_FILE: _ofSpecs, ...ENV } = process.env;

let copy: Copy;

beforeAll(() => {
  copy = new Copy('sample');
});

test.each(SAMPLE)('the specs of the folder catch the planted bug "%s"', async (name) => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`the list of planted bugs has no '${name}'`);
  const { specs = 'no result' } = await copy.with(mutant, () =>
    runNets(copy.folder, ENV, { specs: mutant.nets.specs }),
  );
  expect({ specs, isCaught: isCaught(specs) }).toEqual({ specs, isCaught: true });
});
