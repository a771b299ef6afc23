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

test('a row of docs/sandbox-onboarding.md covers only the row of the specification with which it begins', () => {
  const whats = rows.map(({ what }) => what);
  const missed = listedRows(MERCHANT_ONBOARDING).filter((row) => {
    const others = whats.filter((what) => !what.startsWith(row));
    return !unnamedRows(MERCHANT_ONBOARDING, others).includes(row);
  });
  expect(missed).toEqual([]);
});
