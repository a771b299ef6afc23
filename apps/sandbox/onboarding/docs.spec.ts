import { join } from 'node:path';
import { docsRows, missingTests } from '../testing/docs-table.js';

const DOCS = join(import.meta.dirname, '../../../docs/sandbox-onboarding.md');

test('every row of the docs names a test that exists', () => {
  const rows = docsRows(DOCS);
  expect(rows.length).toBeGreaterThan(100);
  expect(missingTests(rows, (spec) => join(import.meta.dirname, spec))).toEqual([]);
});
