import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './list.mjs';
import { planted } from './plant.mjs';

const ROOT = join(import.meta.dirname, '..', '..');

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the bug "%s" can be planted in the sources',
  (_name, mutant) => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(planted(mutant, text)).not.toBe(text);
  },
);

test('a planted bug whose `from` text is no longer in the file is reported by the bug’s name', () => {
  const mutant = { name: 'a bug', file: 'a.ts', from: 'one', to: 'two', nets: { specs: [] } };
  expect(() => planted(mutant, 'three')).toThrow(
    "'a bug' cannot be planted: its `from` text must occur exactly once in a.ts, but occurs 0 times",
  );
});
