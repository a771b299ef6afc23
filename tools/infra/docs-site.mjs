import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from './commands.mjs';
import { faultsInBrowser } from './docs-pages.mjs';
import { Failure } from './failure.mjs';
import { ROOT, stateDir } from './paths.mjs';

const SITE = stateDir('docs-site');
const PAGES = [
  'index.html',
  'CHANGELOG.html',
  'docs/quick-start.html',
  'docs/concepts.html',
  'docs/guides/take-a-payment.html',
  'docs/generated/errors.html',
  'docs/architecture.html',
  'docs/glossary.html',
  'docs/runbook.html',
  'docs-site/reference/api.html',
  'docs-site/reference/api/orders.html',
  'docs-site/reference/events.html',
  'docs-site/reference/events/orders.html',
  'mermaid.min.js',
];
/** Matches HTML elements that load a script, picture or style sheet from another host. */
const LOADED_ELSEWHERE = /<(?:script|img|link)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*/g;
/** A heading that the search index must contain. */
const INDEXED = '/docs/glossary.html#work-and-the-provider';

/** @param {string} folder @param {string} ending */
const filesOf = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** The faults of the built site, one line each. @returns {string[]} */
const faults = () => {
  const missing = PAGES.filter((page) => !existsSync(join(SITE, page)));
  const elsewhere = filesOf(SITE, '.html').flatMap(
    (file) => readFileSync(file, 'utf8').match(LOADED_ELSEWHERE) ?? [],
  );
  const isIndexed = filesOf(join(SITE, 'assets'), '.js').some(
    (file) => file.includes('localSearchIndex') && readFileSync(file, 'utf8').includes(INDEXED),
  );
  return [
    ...missing.map((page) => `${page} is missing`),
    ...elsewhere.map((element) => `loaded from another host: ${element}`),
    ...(isIndexed ? [] : [`the search index lacks ${INDEXED}`]),
  ];
};

/**
 * Builds the documentation as a site with search into `.state/docs-site`; throws a Failure if the
 * site cannot be built, lacks a main page or the search index, loads anything from other hosts, or
 * has a fault in the browser.
 */
export const buildDocsSite = async () => {
  const program = join(ROOT, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const { code, output } = await run(process.execPath, [program, 'build', 'docs-site'], {
    cwd: ROOT,
  });
  if (code !== 0)
    throw new Failure('The documentation site cannot be built: fix what is shown above.', output);
  const mermaid = join(ROOT, 'node_modules', 'mermaid', 'dist', 'mermaid.min.js');
  copyFileSync(mermaid, join(SITE, 'mermaid.min.js'));
  const found = [...faults(), ...(await faultsInBrowser(SITE))];
  if (found.length > 0)
    throw new Failure(
      'The documentation site has the faults shown above: fix them.',
      found.join('\n'),
    );
};
