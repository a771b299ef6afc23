import type { FastifyInstance, FastifyRequest } from 'fastify';

const MAX_BODY_BYTES = 4_096;

const refusalOf = ({ method, headers }: FastifyRequest): number | null => {
  if (method === 'GET' || method === 'HEAD') return null;
  const site = headers['sec-fetch-site'];
  // Browsers send `Sec-Fetch-Site` to https and loopback origins. A request without this header is
  // accepted, e.g. from a client that is not a browser.
  if (site !== undefined && site !== 'same-origin') return 403;
  if (headers['transfer-encoding'] !== undefined) return 411;
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? 413 : null;
};

const WHY: Readonly<Record<number, string>> = {
  403: 'this path accepts requests from the sandbox’s own pages only',
  411: 'send the body with its Content-Length',
  413: `the body is larger than ${MAX_BODY_BYTES} bytes`,
};

/**
 * Rejects a submission to one of these pages from another site, and a body above 4 KiB, before the
 * body is read. This is a hook and not middleware, because middleware would match every request of
 * the app against the paths of all these pages.
 */
export const guardPages = (fastify: FastifyInstance, isPage: (route: string) => boolean): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    const status = refusalOf(request);
    if (status === null || !isPage(request.routeOptions.url ?? '')) return done();
    void reply
      .code(status)
      .header('connection', 'close')
      .type('application/json')
      .serializer(JSON.stringify)
      .send({ error: WHY[status] });
  });
};
