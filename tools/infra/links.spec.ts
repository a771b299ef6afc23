import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { linkComplaints } from './links.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'links-'));
  write('docs/provider/payments.md', '# Payments\n\n## Payment status\n\n## Limits\n\n## Limits\n');
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (file: string, text: string): void => {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test('the link check accepts links and citations that resolve', () => {
  write(
    'README.md',
    '[Payments](docs/provider/payments.md#payment-status), `[x](y)`, [web](https://a.test)',
  );
  write(
    'docs/other.md',
    '[Second limits](provider/payments.md#limits-1)\n\n[here](#more)\n\n## More',
  );
  write('libs/a.ts', '/** See docs/provider/payments.md#limits. */');
  expect(linkComplaints(root)).toEqual([]);
});

test.each([
  [
    'a missing file',
    'README.md',
    '[Payments](docs/payment.md)',
    'the file docs/payment.md does not exist',
  ],
  [
    'a missing heading',
    'docs/other.md',
    '[a](provider/payments.md#states)',
    'the heading provider/payments.md#states does not exist',
  ],
  [
    'a citation in code',
    'libs/a.ts',
    '// docs/provider/payments.md#states',
    'the heading docs/provider/payments.md#states does not exist',
  ],
  [
    'a heading cited by its words alone',
    'libs/a.ts',
    '// Specification, "Payment status".',
    'cites a heading without a link: write docs/….md#heading',
  ],
])('the link check reports %s', (_, file, text, complaint) => {
  write(file, text);
  expect(linkComplaints(root)).toEqual([`${file}: ${complaint}`]);
});
