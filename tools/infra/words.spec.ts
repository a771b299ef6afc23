import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { wordComplaints } from './words.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'words-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (file: string, text: string): void => {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test('accepts text in the words of the glossary', () => {
  write('libs/a.ts', "// The provider returned a status.\ntest('stores the status', () => {});\n");
  expect(wordComplaints(root)).toEqual([]);
});

test.each([
  ['a comment', 'libs/a.ts', '\n// Nobody reads it.', '2: "Nobody": write who'],
  ['a test name', 'libs/a.spec.ts', "test('is told once', f);", '1: "told": write record'],
  ['part of an identifier', 'libs/a.ts', 'const mostWaitMs = 1;', '1: "most Wait": write maxBack'],
  ['a constant', 'libs/a.ts', 'const LEAST_WAIT_MS = 1;', '1: "LEAST_WAIT_MS": write MIN_'],
  ['a page', 'libs/a.md', 'It is carried out.', '1: "carried out": write handle'],
])('reports a word in %s with its place and what to write', (_, file, text, complaint) => {
  write(file, text);
  const complaints = wordComplaints(root);
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toContain(`${file}:${complaint}`);
});

test('checks only the given places, and neither generated files nor quotations', () => {
  write('apps/a.ts', '// told');
  write('docs/provider/payments.md', 'told');
  write('packages/subscriber/events.ts', '// told');
  expect(wordComplaints(root, ['docs'])).toEqual([]);
  expect(wordComplaints(root)).toHaveLength(1);
});
