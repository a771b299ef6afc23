import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';

const ELSEWHERE = /^(?:[a-z][a-z+.-]*:|#|\/)/i;

/**
 * The site's pages that show a generated document, by the path of the document in the repository.
 */
const SHOWN_BY = {
  'docs/generated/asyncapi.yaml': '/docs-site/reference/events',
  'docs/generated/openapi.api.json': '/docs-site/reference/api',
};

/**
 * The page to which a link to a folder leads: the folder's README, or its first page.
 * @param {string} folder
 */
const pageOf = (folder) => {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort();
  return names.includes('README.md') ? 'README.md' : names[0];
};

/**
 * @param {{ attrGet(name: string): string | null, attrSet(name: string, value: string): void }} open
 * @param {string} folder
 */
const relink = (open, folder) => {
  const href = String(open.attrGet('href'));
  const [path = ''] = href.split('#');
  const target = resolve(folder, decodeURIComponent(path));
  if (ELSEWHERE.test(href) || path.endsWith('.md') || !existsSync(target)) return false;
  const shownBy = SHOWN_BY[relative(ROOT, target)];
  if (shownBy !== undefined) {
    open.attrSet('href', shownBy);
    return false;
  }
  const page = statSync(target).isDirectory() ? pageOf(target) : undefined;
  if (page === undefined) return true;
  open.attrSet('href', join(path, page));
  return false;
};

/**
 * Replaces links to source files by text, because the site contains no source files. Links to
 * folders lead to the folder's page, and links to generated documents to their reference pages. A
 * broken link stays unchanged, so that the build fails.
 * @param {import('vitepress').MarkdownRenderer} md
 */
export const linkSources = (md) => {
  md.core.ruler.push('source-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isSource = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          isSource = relink(token, dirname(env.realPath ?? env.path));
          if (isSource) Object.assign(token, { tag: 'span', attrs: [['class', 'source-file']] });
        }
        if (token.type === 'link_close' && isSource) token.tag = 'span';
      }
    }
  });
  const { link_open: open } = md.renderer.rules;
  md.renderer.rules['link_open'] = (tokens, index, options, env, self) =>
    tokens[index].tag === 'span' || open === undefined
      ? self.renderToken(tokens, index, options)
      : open(tokens, index, options, env, self);
};
