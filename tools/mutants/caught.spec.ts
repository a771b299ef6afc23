import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy } from './copy.mjs';
import { MUTANTS } from './list.mjs';
import type { Mutant } from './mutant.d.mts';
import { runSpecsOfFolders } from './nets.mjs';

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

const mutants = SAMPLE.map((name) => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`the list of planted bugs has no '${name}'`);
  return mutant;
});

const folderOf = ({ file }: Mutant): string => file.replace(/[^/]+$/, '');

/** The result of each folder with all bugs, because a start of Jest takes longer than the specs. */
let results: Readonly<Record<string, string>>;

beforeAll(async () => {
  const copy = new Copy('sample');
  const withAll = mutants.reduceRight<() => Promise<Readonly<Record<string, string>>>>(
    (work, mutant) => () => copy.with(mutant, work),
    () => runSpecsOfFolders(copy.folder, ENV, mutants.map(folderOf)),
  );
  results = await withAll();
});

test.each(mutants)('the specs of the folder catch the planted bug "$name"', (mutant) => {
  expect(mutant.nets.specs).toEqual([folderOf(mutant)]);
  expect(results[folderOf(mutant)]).toMatch(/^caught by /);
});

test('no domain folder of the sample uses another, so that each bug fails only specs of its folder', () => {
  expect(new Set(mutants.map(folderOf)).size).toBe(SAMPLE.length);
  const imports = mutants.flatMap((mutant) =>
    readdirSync(folderOf(mutant))
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(folderOf(mutant), file), 'utf8').matchAll(/from '(#[a-z-]+|\.\.\/)/g),
      ])
      .map(([, from]) => from),
  );
  expect([...new Set(imports)].toSorted()).toEqual(['#kernel', '#testing']);
});
