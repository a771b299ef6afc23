import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { slugOf } from '../../tools/infra/links.mjs';
import { ROOT } from '../../tools/infra/paths.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export const TITLES = {
  api: 'REST API',
  admin: 'REST API of the console',
  sandbox: 'The provider’s payment API',
  'sandbox-onboarding': 'The provider’s onboarding API',
};

/**
 * @typedef {{ method: string, path: string, summary: string, operation: Record<string, any> }} Route
 * @typedef {{ tag: string, slug: string, routes: readonly Route[] }} Section
 */

/** @param {string} name of an OpenAPI document @returns {Record<string, any>} */
export const openApi = (name) =>
  JSON.parse(readFileSync(join(ROOT, 'docs', 'generated', `openapi.${name}.json`), 'utf8'));

/** The sections of an OpenAPI document, by the first tag of its operations. @param {string} name */
export const sectionsOf = (name) => {
  const { paths } = openApi(name);
  /** @type {Map<string, Route[]>} */
  const sections = new Map();
  for (const path of Object.keys(paths)) {
    for (const method of METHODS.filter((one) => one in paths[path])) {
      const operation = paths[path][method];
      const tag = operation.tags?.[0] ?? 'Other';
      const summary = operation.summary ?? `${method.toUpperCase()} ${path}`;
      sections.set(tag, [...(sections.get(tag) ?? []), { method, path, summary, operation }]);
    }
  }
  return [...sections].map(([tag, routes]) => ({ tag, slug: slugOf(tag), routes }));
};

/** The address of a section's page. @param {string} document @param {string} [slug] */
export const addressOf = (document, slug) =>
  `/docs-site/reference/${document}${slug === undefined ? '' : `/${slug}`}`;

/**
 * The anchor of each heading of a page. The second heading with the same text gets the suffix -1.
 */
export const anchorsOf = (/** @type {readonly string[]} */ headings) => {
  const seen = new Map();
  return headings.map((heading) => {
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
};
