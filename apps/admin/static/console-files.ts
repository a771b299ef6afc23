import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FastifyInstance } from 'fastify';
import { styleNonce } from './style-nonce.js';

/** Where the console's build puts its files, beside this app's own compiled ones. */
const FILES = fileURLToPath(new URL('../console-build/', import.meta.url));

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

/** Of the app itself: a wrong address there is no page of the console. */
const isOwn = (path: string): boolean => /^\/(?:v1|health|metrics|clock)(?:\/|$)/.test(path);

/** A file of the build; any other address is a page, which the console shows by itself. */
const isFile = (path: string): boolean => /\.[a-z0-9]{1,8}$/i.test(path);

/** Serves the built console for every address that is not the app's own. */
export const serveConsole = async (fastify: FastifyInstance): Promise<void> => {
  const page = existsSync(`${FILES}index.html`)
    ? readFileSync(`${FILES}index.html`, 'utf8')
    : null;
  if (page !== null) {
    const { fastifyStatic } = await import('@fastify/static');
    await fastify.register(fastifyStatic, {
      root: FILES, serve: false, index: false,
      setHeaders: (response, path) => {
        // The build names its assets by their content; pages name those.
        const isAsset = path.includes('/assets/');
        void response.header(
          'cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  fastify.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (isOwn(path) || (page === null && isFile(path))) return reply.callNotFound();
    if (isFile(path)) return reply.sendFile(path.slice(1));
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send((page ?? NOT_BUILT).replace('%STYLE_NONCE%', styleNonce(reply.raw)));
  });
};
