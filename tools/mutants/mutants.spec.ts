import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './list.mjs';
import { firstFailure } from './nets.mjs';
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

test('the test that a planted bug makes fail is found in the output of Jest', () => {
  const output = [
    'PASS libs/a.spec.ts',
    'FAIL libs/b.spec.ts (5.1 s)',
    '  ● a payment › is captured once (in part)',
    '    expect(received).toBe(expected)',
    '  ● a payment › is refunded',
  ].join('\n');
  expect(firstFailure(output)).toEqual({
    file: 'libs/b.spec.ts',
    name: 'a payment › is captured once (in part)',
  });
  expect(firstFailure('PASS libs/a.spec.ts')).toBeNull();
});
