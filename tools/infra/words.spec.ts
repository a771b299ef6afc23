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

test('the word check accepts text in the words of the glossary', () => {
  write('libs/a.ts', "// The provider returned a status.\ntest('stores the status', () => {});\n");
  expect(wordComplaints(root)).toEqual([]);
});

test.each([
  ['a comment', 'libs/a.ts', '\n// Nobody reads it.', '2: "Nobody": write who'],
  ['a test name', 'libs/a.spec.ts', "test('is told once', f);", '1: "told": write record'],
  ['part of an identifier', 'libs/a.ts', 'const mostWaitMs = 1;', '1: "most Wait": write maxBack'],
  ['a constant', 'libs/a.ts', 'const WIDEST_RETRY_MS = 1;', '1: "WIDEST": write max'],
  ['a stored name', 'libs/a.ts', "'refund_looked_for'", '1: "looked": write read'],
  ['a class of a style sheet', 'apps/a.css', '.let-go {}', '1: "let go": write release'],
  ['a style sheet', 'apps/a.css', '/* Shapes tell. */', '1: "tell": write record'],
  ['a service', 'docker-compose.yml', '# It is told.', '1: "told": write record'],
  ['a workflow', '.github/workflows/ci.yaml', '# anybody', '1: "anybody": write who'],
  ['a template', 'apps/a.html', '<p>Look again.</p>', '1: "Look": write read'],
  ['a dashboard', 'docs/a.json', '{"title":"Parked keys"}', '1: "Parked": write block'],
  ['a page', 'libs/a.md', 'It is carried out.', '1: "carried out": write handle'],
])(
  'the word check reports a word to avoid in %s, with its place and the word to write instead',
  (_, file, text, complaint) => {
    write(file, text);
    const complaints = wordComplaints(root);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(`${file}:${complaint}`);
  },
);

test.each([
  ['apps/worker/calls.part.ts', '"part.ts": write *.process.ts'],
  ['apps/worker/calls.part.spec.ts', '"part.spec.ts": write *.process.ts'],
  ['libs/0005-a-parked-key.md', '"parked": write block'],
  ['libs/lookNow.ts', '"look": write read'],
])('the word check reports a word to avoid in the file name %s', (file, complaint) => {
  write(file, '');
  const complaints = wordComplaints(root);
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toContain(`${file}: ${complaint}`);
});

test.each([
  'It looks like a card number, and is looked up.',
  'a lookup of the multipart.ts file',
  'the bank settles the payment',
])('the word check accepts the ordinary use of a word in: %s', (text) => {
  write('libs/a.md', text);
  expect(wordComplaints(root)).toEqual([]);
});

test('the word check reads only the given paths, without generated files and quotations', () => {
  write('apps/a.ts', '// told');
  write('docs/provider/payments.md', 'told');
  write('packages/subscriber/events.ts', '// told');
  expect(wordComplaints(root, ['docs'])).toEqual([]);
  expect(wordComplaints(root)).toHaveLength(1);
});
