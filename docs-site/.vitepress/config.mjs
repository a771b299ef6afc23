import { defineConfig } from 'vitepress';

import { slugOf } from '../../tools/infra/links.mjs';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { drawDiagrams } from './diagrams.mjs';
import { SIDEBAR } from './sidebar.mjs';
import { linkSources } from './source-links.mjs';

export default defineConfig({
  title: 'Payment orchestrator',
  description: 'Event-sourced payment orchestration for commerce platforms',
  srcDir: ROOT,
  srcExclude: ['.github/**', '.state/**', '**/dist/**', '**/node_modules/**'],
  outDir: stateDir('docs-site'),
  cacheDir: stateDir('docs-site-cache'),
  rewrites: { 'README.md': 'index.md' },
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
    search: { provider: 'local' },
    notFound: { linkLabel: 'Take me home' },
    sidebar: SIDEBAR,
    outline: [2, 3],
  },
});
