import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';

/** @param {string} path of a page below the root */
const titleOf = (path) =>
  /^# (.+)$/m.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path;

/** @param {string} path of a page below the root @param {string} [text] */
const page = (path, text = titleOf(path)) => ({ text, link: `/${path.replace(/\.md$/, '')}` });

/** @param {string} folder below the root @returns {string[]} */
const pagesIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);

export const SIDEBAR = [
  {
    text: 'Start',
    items: [
      { text: 'Overview', link: '/' },
      page('docs/architecture.md'),
      page('docs/glossary.md'),
      page('CONTRIBUTING.md'),
      page('CHANGELOG.md'),
    ],
  },
  { text: 'Guides', items: pagesIn('docs/guides').map((path) => page(path)) },
  {
    text: 'API references',
    items: [
      { text: 'REST for platforms', link: '/docs-site/reference/api' },
      { text: 'Events on Kafka', link: '/docs-site/reference/events' },
      { text: 'Subscriber package', link: '/packages/subscriber/README' },
      { text: 'Console', link: '/docs-site/reference/admin' },
      { text: 'Sandbox: payments', link: '/docs-site/reference/sandbox' },
      { text: 'Sandbox: onboarding', link: '/docs-site/reference/sandbox-onboarding' },
    ],
  },
  {
    text: 'Operations',
    items: [
      page('docs/operations.md'),
      page('docs/runbook.md'),
      page('docs/scale.md'),
      page('docs/configuration.md'),
      page('docs/threat-model.md'),
      page('docs/grafana/README.md'),
      page('SECURITY.md', 'Security'),
    ],
  },
  {
    text: 'Provider',
    items: [
      page('docs/sandbox.md'),
      page('docs/sandbox-onboarding.md'),
      page('docs/generated/sandbox-states.md'),
      ...pagesIn('docs/provider').map((path) => page(path)),
    ],
  },
  { text: 'Decisions', items: pagesIn('docs/adr').map((path) => page(path)) },
];
