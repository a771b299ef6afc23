import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * The documentation pages to check. The provider's specifications are omitted, because they are
 * quotations.
 */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'packages/client-ts/README.md',
  'clients/python/README.md',
  'packages/subscriber/README.md',
  'examples/fulfilment/README.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

const FENCE = /```(\w*)\n([\s\S]*?)```/g;

/** A fenced code block of a page. */
export interface Block {
  readonly language: string;
  readonly code: string;
}

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ language, code }));

export const pages = (): readonly Page[] =>
  PAGES.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, blocks: blocksOf(text) };
  });

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
}

const URL_PATH = /https?:\/\/[^/\s]+(\/[^\s"'\\]*)/;

/** The request of each `curl` command in a shell block. */
export const curlRequests = (code: string): readonly Request[] =>
  code
    .replaceAll('\\\n', ' ')
    .split(/\bcurl\b/)
    .slice(1)
    .map((text) => {
      const path = URL_PATH.exec(text)?.[1]?.split('?')[0] ?? '';
      const body = /\s-d '([^']*)'/.exec(text)?.[1] ?? null;
      const method = /\s-X (\w+)/.exec(text)?.[1] ?? (body === null ? 'GET' : 'POST');
      return { method, path, body };
    });

const ROUTE = /`(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|v2)\/[^\s`?]*)/g;

/** The routes that a page mentions in inline code. */
export const namedRoutes = (text: string): readonly Request[] =>
  [...text.matchAll(ROUTE)].map(([, method = '', path = '']) => ({ method, path, body: null }));
