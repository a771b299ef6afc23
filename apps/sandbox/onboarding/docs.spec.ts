import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../docs/sandbox-onboarding.md');

/** `| what | spec | test |`, without the heads of the tables. */
const rows = readFileSync(DOCS, 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , spec]) => spec?.endsWith('.spec.ts') === true)
  .map(([, what = '', spec = '', test = '']) => ({ what, spec, test }));

test('every row of the docs names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(100);
  const sources = new Map<string, string>();
  const missing = rows.filter(({ spec, test }) => {
    const file = join(import.meta.dirname, spec);
    const source = sources.get(file) ?? readFileSync(file, 'utf8').replaceAll("\\'", "'");
    sources.set(file, source);
    return !source.includes(`'${test}'`);
  });
  expect(missing).toEqual([]);
});
