import { join } from 'node:path';
import { docsRows, missingTests } from './testing/docs-table.js';
import { listedRows, PAYMENT_COLLECTION, unnamedRows } from './testing/specification-rows.js';

const ROOT = join(import.meta.dirname, '../..');
const rows = docsRows(join(ROOT, 'docs/sandbox.md'));

/**
 * The path of a spec that docs/sandbox.md names. Names of specs outside the sandbox are relative to
 * the root of the repository.
 */
const placeOf = (spec: string): string =>
  /^(test|libs)\//.test(spec) ? join(ROOT, spec) : join(import.meta.dirname, spec);

test('every row of docs/sandbox.md names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(missingTests(rows, placeOf)).toEqual([]);
});

test('every heading and row of the payment specification has a row in docs/sandbox.md', () => {
  expect(
    unnamedRows(
      PAYMENT_COLLECTION,
      rows.map(({ what }) => what),
    ),
  ).toEqual([]);
});

test('a rule of the specification is covered only by rows of docs/sandbox.md that begin with the text of the rule', () => {
  const whats = rows.map(({ what }) => what);
  const missed = listedRows(PAYMENT_COLLECTION).filter((row) => {
    const others = whats.filter((what) => !what.startsWith(row));
    return !unnamedRows(PAYMENT_COLLECTION, others).includes(row);
  });
  expect(missed).toEqual([]);
});

test('no row of docs/sandbox.md is duplicated, and every row names a test', () => {
  expect(rows.filter(({ test: title }) => title === '')).toEqual([]);
  const whats = rows.map(({ what }) => what);
  expect(whats.filter((what, index) => whats.indexOf(what) !== index)).toEqual([]);
});
