import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One row of a table in the docs, which names the test of a rule. */
export interface DocsRow {
  readonly what: string;
  readonly spec: string;
  readonly test: string;
}

/**
 * Reads the rows `| requirement | spec | test |` of a file, without the header rows of its tables.
 */
export const docsRows = (file: string): readonly DocsRow[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .filter(([, , spec]) => spec !== undefined && /^\S+\.spec\.ts$/.test(spec))
    .map(([, what = '', spec = '', test = '']) => ({ what, spec, test }));

/** Matches a call whose first argument is a string: `test('…'`, `describe('…'`, `])('…'`. */
const CALL = /(?:test|describe|\))\(\s*(?:(['"])((?:(?!\1)[^\\\n]|\\.)*)\1|`((?:[^`\\]|\\.)*)`)/g;
const RULES = /from '((?:\.{1,2}\/)+(?:[\w-]+\/)*[\w-]+-rules)\.js'/g;

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The pattern of a test title as reported by Jest: the placeholders of a template match any text.
 */
const patternOf = (title: string): RegExp => {
  const parts = title.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
  return new RegExp(`^${parts.map((part) => quoted(part.replaceAll("\\'", "'"))).join('.+')}$`);
};

/** The test titles in a spec, and in the shared rules that the spec runs. */
const titlesIn = (file: string): readonly RegExp[] => {
  const source = readFileSync(file, 'utf8');
  const own = [...source.matchAll(CALL)].map(([, , plain, open]) => patternOf(plain ?? open ?? ''));
  const rules = [...source.matchAll(RULES)].map(([, path]) => join(dirname(file), `${path}.ts`));
  return [...own, ...rules.filter(existsSync).flatMap(titlesIn)];
};

/** The rows whose test does not exist. `placeOf` returns the path of a row's spec. */
export const missingTests = (
  rows: readonly DocsRow[],
  placeOf: (spec: string) => string,
): readonly DocsRow[] => {
  const titles = new Map<string, readonly RegExp[]>();
  return rows.filter(({ spec, test }) => {
    const file = placeOf(spec);
    if (!existsSync(file)) return true;
    const known = titles.get(file) ?? titlesIn(file);
    titles.set(file, known);
    return !known.some((title) => title.test(test));
  });
};
