import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'vitepress';

import { slugOf } from '../../tools/infra/links.mjs';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { drawDiagrams } from './diagrams.mjs';
import { NAV, SIDEBAR } from './sidebar.mjs';
import { linkSources } from './source-links.mjs';

/** The console's icon as a data URL in each page, so that browsers need not request the icon. */
const ICON = `data:image/svg+xml;base64,${readFileSync(
  join(ROOT, 'apps', 'admin', 'console', 'public', 'icon.svg'),
  'base64',
)}`;

export default defineConfig({
  title: 'Payment orchestrator',
  description: 'Event-sourced payment orchestration for commerce platforms',
  srcDir: ROOT,
  srcExclude: ['.github/**', '.state/**', '**/dist/**', '**/node_modules/**'],
  outDir: stateDir('docs-site'),
  cacheDir: stateDir('docs-site-cache'),
  rewrites: { 'docs-site/index.md': 'index.md' },
  head: [['link', { rel: 'icon', href: ICON }]],
  lang: 'en',
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    attrs: { disable: true },
    config: (md) => {
      md.use(linkSources);
      md.use(drawDiagrams);
    },
  },
  themeConfig: {
    logo: ICON,
    search: { provider: 'local', options: { detailedView: true } },
    notFound: { linkLabel: 'Take me home' },
    nav: NAV,
    sidebar: SIDEBAR,
    outline: [2, 3],
    footer: { message: 'Apache-2.0' },
  },
});
