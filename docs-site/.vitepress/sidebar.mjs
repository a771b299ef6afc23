import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';
import { addressOf, anchorsOf, sectionsOf } from '../reference/documents.mjs';
import { eventStreams } from '../reference/events-page.mjs';

/** @typedef {{ text: string, link?: string, collapsed?: boolean, items?: Item[] }} Item */

/** @param {string} path of a page below the root */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** @param {string} path of a page below the root */
const titleOf = (path) => /^# (.+)$/m.exec(read(path))?.[1]?.replaceAll('`', '') ?? path;

/** @param {string} path of a page below the root @param {string} [text] @returns {Item} */
const page = (path, text = titleOf(path)) => ({ text, link: `/${path.replace(/\.md$/, '')}` });

/** @param {string} folder below the root @returns {string[]} */
const pagesIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);

/**
 * The guides, sorted by `order` in their front matter (`order: 10`); guides without it are last.
 */
const guides = () => {
  const orderOf = (/** @type {string} */ path) =>
    Number(/^---\n(?:.*\n)*?order: (\d+)/.exec(read(path))?.[1] ?? Infinity);
  return pagesIn('docs/guides').sort((one, other) => orderOf(one) - orderOf(other));
};

/** @param {string} document @param {string} text @returns {Item} */
const openApi = (document, text) => ({
  text,
  link: addressOf(document),
  collapsed: true,
  items: sectionsOf(document).map(({ tag, slug, routes }) => {
    const anchors = anchorsOf(routes.map(({ summary }) => summary));
    return {
      text: tag,
      link: addressOf(document, slug),
      collapsed: true,
      items: routes.map(({ summary }, index) => ({
        text: summary,
        link: `${addressOf(document, slug)}#${anchors[index]}`,
      })),
    };
  }),
});

/** @returns {Item} */
const events = () => ({
  text: 'Events',
  link: addressOf('events'),
  collapsed: true,
  items: eventStreams().map(({ title, slug }) => ({
    text: title,
    link: addressOf('events', slug),
  })),
});

const BUILD = [
  {
    text: 'Get started',
    items: [page('docs/quick-start.md'), page('docs/concepts.md')],
  },
  { text: 'Guides', items: guides().map((path) => page(path)) },
  {
    text: 'More',
    items: [
      page('docs/generated/errors.md'),
      page('docs/glossary.md'),
      page('docs/sandbox.md'),
      page('packages/client-ts/README.md', 'TypeScript client'),
      page('clients/python/README.md', 'Python client'),
      page('packages/subscriber/README.md', 'Subscriber package'),
      page('examples/fulfilment/README.md', 'Example service'),
      page('CHANGELOG.md'),
    ],
  },
];

const REFERENCE = [
  {
    text: 'For platforms',
    items: [
      { ...openApi('api', 'REST API'), collapsed: false },
      { ...events(), collapsed: false },
      page('docs/generated/errors.md'),
    ],
  },
  {
    text: 'For operators and the sandbox',
    items: [
      openApi('admin', 'Console API'),
      openApi('sandbox', 'Sandbox: payments'),
      openApi('sandbox-onboarding', 'Sandbox: onboarding'),
    ],
  },
];

const OPERATE = [
  {
    text: 'Operate',
    items: [
      page('docs/runbook.md'),
      page('docs/operations.md'),
      page('docs/scale.md'),
      page('docs/configuration.md'),
      page('docs/grafana/README.md'),
    ],
  },
  {
    text: 'Security',
    items: [page('docs/threat-model.md'), page('SECURITY.md', 'Report a vulnerability')],
  },
];

const DESIGN = [
  {
    text: 'Design',
    items: [page('docs/architecture.md'), page('README.md', 'Overview'), page('CONTRIBUTING.md')],
  },
  { text: 'Decisions', items: pagesIn('docs/adr').map((path) => page(path)) },
  {
    text: 'Provider',
    items: [
      page('docs/sandbox-onboarding.md'),
      page('docs/generated/sandbox-states.md'),
      ...pagesIn('docs/provider').map((path) => page(path)),
    ],
  },
];

/**
 * The site's sidebars by URL prefix. Every page contains this whole object, so the largest sidebar
 * is the default (`/`) and occurs only once.
 */
export const SIDEBAR = {
  '/': BUILD,
  '/docs-site/reference/': REFERENCE,
  ...Object.fromEntries(
    ['runbook', 'operations', 'scale', 'configuration', 'grafana/', 'threat-model']
      .map((name) => `/docs/${name}`)
      .concat('/SECURITY')
      .map((start) => [start, OPERATE]),
  ),
  ...Object.fromEntries(
    ['architecture', 'adr/', 'provider/', 'sandbox-onboarding', 'generated/sandbox-states']
      .map((name) => `/docs/${name}`)
      .concat('/README', '/CONTRIBUTING')
      .map((start) => [start, DESIGN]),
  ),
};

export const NAV = [
  {
    text: 'Guides',
    link: '/docs/quick-start',
    activeMatch: '^/docs/(quick-start|concepts|guides/|generated/errors)',
  },
  { text: 'Reference', link: addressOf('api'), activeMatch: '^/docs-site/reference/' },
  { text: 'Operate', link: '/docs/runbook', activeMatch: '^/docs/(runbook|operations|scale|conf)' },
  {
    text: 'Design',
    link: '/docs/architecture',
    activeMatch: '^/docs/(architecture|adr/|provider/)',
  },
  { text: 'Changelog', link: '/CHANGELOG' },
];
