import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const SITE = join(ROOT, '.state', 'docs-site');

const filesOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

test('npm run docs builds every page without requests to other hosts', async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'tools', 'docs.mjs')], { cwd: ROOT });
  for (const page of [
    'index.html',
    'docs/architecture.html',
    'docs/glossary.html',
    'docs/runbook.html',
    'docs-site/reference/api.html',
    'docs-site/reference/events.html',
    'mermaid.min.js',
  ]) {
    expect([page, existsSync(join(SITE, page))]).toEqual([page, true]);
  }
  const loaded = /<(?:script|img|link)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*/g;
  const elsewhere = filesOf(SITE, '.html').flatMap((file) => [
    ...(readFileSync(file, 'utf8').match(loaded) ?? []),
  ]);
  expect(elsewhere).toEqual([]);
  const index = filesOf(join(SITE, 'assets'), '.js').find((file) => /localSearchIndex/.test(file));
  expect(
    readFileSync(index ?? '', 'utf8').includes('/docs/glossary.html#work-and-the-provider'),
  ).toBe(true);
}, 300_000);
