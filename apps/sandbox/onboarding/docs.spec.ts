import { join } from 'node:path';
import { docsRows, missingTests } from '../testing/docs-table.js';
import { listedRows, MERCHANT_ONBOARDING, unnamedRows } from '../testing/specification-rows.js';

const DOCS = join(import.meta.dirname, '../../../docs/sandbox-onboarding.md');
const rows = docsRows(DOCS);

test('every row of docs/sandbox-onboarding.md names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(missingTests(rows, (spec) => join(import.meta.dirname, '..', spec))).toEqual([]);
});

test('every heading and row of the onboarding specification has a row in docs/sandbox-onboarding.md', () => {
  expect(
    unnamedRows(
      MERCHANT_ONBOARDING,
      rows.map(({ what }) => what),
    ),
  ).toEqual([]);
});

test('a rule of the specification is covered only by rows of docs/sandbox-onboarding.md that begin with the text of the rule', () => {
  const whats = rows.map(({ what }) => what);
  const missed = listedRows(MERCHANT_ONBOARDING).filter((row) => {
    const others = whats.filter((what) => !what.startsWith(row));
    return !unnamedRows(MERCHANT_ONBOARDING, others).includes(row);
  });
  expect(missed).toEqual([]);
});
