import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { FirstView, type FirstViewFacts } from './first-view.js';
import { styleNonce } from './style-nonce.js';

/** The folder of the built console, beside the compiled app. */
export const CONSOLE_FILES = fileURLToPath(new URL('../console-build/', import.meta.url));

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Console</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main>
      <h1>The console is not built</h1>
      <p>Its API answers under <code>/v1</code>. Build the console, then load this page again.</p>
    </main>
  </body>
</html>
`;

/**
 * Whether the path is below a prefix of the admin app's routes. There, an unknown path gets a 404;
 * elsewhere it opens the console.
 */
const isOwn = (path: string): boolean => /^\/(?:v1|health|metrics|clock)(?:\/|$)/.test(path);

/** Whether the path is a file of the build; any other path is a page of the console. */
const isFile = (path: string): boolean => /\.[a-z0-9]{1,8}$/i.test(path);

/** The file types of the build; others are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  /** Returns the Brotli-compressed body. */
  readonly packed: () => Buffer;
}

/** The compression quality, fast enough to compress a file when it is requested. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Compresses a body when it is requested for the first time. */
const packing = (body: Buffer): (() => Buffer) => {
  let packed: Buffer | undefined;
  return () => (packed ??= brotliCompressSync(body, QUALITY));
};

/** Reads all files of the build into memory. Returns them by path. */
const readFiles = (folder: string): ReadonlyMap<string, ConsoleFile> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const body = readFileSync(join(folder, name));
      return [[`/${name.replaceAll('\\', '/')}`, { type, body, packed: packing(body) }]];
    }),
  );

const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  /\bbr\b/.test(String(headers['accept-encoding'] ?? ''));

/**
 * The cache header of a file. Asset names contain a hash of their content, so they can be cached
 * for ever.
 */
const cacheOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

const sendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { type, body, packed }: ConsoleFile,
): FastifyReply => {
  const isPacked = takesBrotli(request);
  return reply
    .headers({
      'cache-control': cacheOf(path),
      vary: 'accept-encoding',
      ...(isPacked ? { 'content-encoding': 'br' } : {}),
    })
    .type(type)
    .send(isPacked ? packed() : body);
};

/** The placeholder in the page that the first view replaces. */
const FIRST_VIEW = '<!--first-view-->';

/** The compression quality for a page, which is compressed for each request. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** How long the page waits for the facts of its first view; after that it is sent without it. */
const FACTS_MS = 500;

const sendPage = (request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply => {
  const isPacked = takesBrotli(request);
  return reply
    .headers({
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      ...(isPacked ? { 'content-encoding': 'br' } : {}),
    })
    .type('text/html; charset=utf-8')
    .send(isPacked ? brotliCompressSync(html, PAGE_QUALITY) : html);
};

/**
 * Serves the built console in `folder` for every path that is not below a prefix of the admin app's
 * routes. `factsOf` reads what the first view of the overview shows to the user of a request; null:
 * no first view. The page does not wait for slow facts.
 */
export const serveConsole = (
  fastify: FastifyInstance,
  folder: string,
  factsOf: (request: FastifyRequest) => Promise<FirstViewFacts | null>,
): void => {
  const page = existsSync(join(folder, 'index.html'))
    ? readFileSync(join(folder, 'index.html'), 'utf8')
    : null;
  const files = page === null ? new Map<string, ConsoleFile>() : readFiles(folder);
  const firstView = FirstView.in(folder);
  const firstViewFor = async (request: FastifyRequest, nonce: string): Promise<string> => {
    try {
      const late = sleep(FACTS_MS, null, { ref: false });
      const facts = firstView === null ? null : await Promise.race([factsOf(request), late]);
      return facts === null ? '' : (firstView?.markup(request, facts, nonce) ?? '');
    } catch (err) {
      // The page is sent without the first view; the console's scripts show the error.
      request.log.warn({ err }, 'the first view of the overview cannot be shown');
      return '';
    }
  };
  fastify.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const file = files.get(path);
    if (file !== undefined) return sendFile(request, reply, path, file);
    if (isOwn(path) || isFile(path)) return reply.callNotFound();
    const nonce = styleNonce(reply.raw);
    const first = path === '/' ? await firstViewFor(request, nonce) : '';
    const html = (page ?? NOT_BUILT).replaceAll('%STYLE_NONCE%', nonce);
    return sendPage(
      request,
      reply,
      html.replace(FIRST_VIEW, () => first),
    );
  });
};
