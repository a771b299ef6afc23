import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './list.mjs';
import { failuresOf, firstFailure } from './nets.mjs';
import { changesOf, planted } from './plant.mjs';

const ROOT = join(import.meta.dirname, '..', '..');

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the bug "%s" can be planted in the sources',
  (_name, mutant) => {
    for (const change of changesOf(mutant)) {
      const text = readFileSync(join(ROOT, change.file), 'utf8');
      expect(planted(mutant.name, change, text)).not.toBe(text);
    }
  },
);

test('a planted bug whose `from` text is no longer in the file is reported by the bug’s name', () => {
  const change = { file: 'a.ts', from: 'one', to: 'two' };
  expect(() => planted('a bug', change, 'three')).toThrow(
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

test('a check that failed only because the run had too few faults has not detected a bug', () => {
  const output = [
    '  ✓ 1  no payment captures more than was authorized: 60 payments',
    '  ✗ 5  each topic has the committed events: 900 messages',
    '       ord_1: version 3 is missing',
    '       the run: the cursor was not moved back',
    '  ✗ 6  no falsified webhook is accepted: 0 refused',
    '       the run: no falsified webhook was refused',
    '  ✗ a check without a reason',
    '',
    '3 of 40 checks failed: repeat with --seed 1.',
    '',
  ].join('\n');
  expect(failuresOf(output)).toEqual([
    'each topic has the committed events: 900 messages',
    'a check without a reason',
  ]);
});
