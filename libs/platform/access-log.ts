import { type FastifyInstance } from 'fastify';
import { mayHoldIban } from './ibans.js';
import { type Logger } from './logger.js';
import { type Metrics } from './metrics.js';

/** Routes whose requests are neither logged nor traced, because monitoring and clients poll them. */
const QUIET = /^\/(?:health|metrics|sandbox\/clock)\b/;
export const isQuiet = (method: string, route: string): boolean =>
  method === 'GET' && QUIET.test(route);

/**
 * Removes email addresses from a path: an unknown path may contain personal data that was typed by
 * mistake.
 */
const withoutEmail = (path: string): string =>
  path
    .split('/')
    .map((part) => (/@|%40/.test(part) ? '[email]' : part))
    .join('/');

/**
 * Removes credentials from a path: these are segments of exactly 30 letters and digits. Ids are
 * kept: their prefix distinguishes them from credentials.
 */
const withoutToken = (path: string): string =>
  path.replace(/(?<=\/)[A-Za-z0-9]{30}(?=\/|$)/g, '[token]');

const withoutIban = (path: string): string =>
  path
    .split('/')
    .map((part) => (mayHoldIban(part) ? '[iban]' : part))
    .join('/');

/**
 * Writes one log line and one metric observation for each request. Both contain the route, and
 * never a body, a query or a header.
 */
export const logAccess = (fastify: FastifyInstance, logger: Logger, metrics: Metrics): void => {
  const seconds = metrics.histogram(
    'http_request_duration_seconds',
    'Time from a request to the end of its response',
    ['method', 'route', 'status'],
  );
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const ms = reply.elapsedTime;
    seconds.observe({ method: request.method, route, status: reply.statusCode }, ms / 1_000);
    logger[isQuiet(request.method, route) ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        path: withoutIban(withoutToken(withoutEmail(request.url.split('?', 1)[0] ?? ''))),
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        requestId: request.id,
        correlationId: request.correlationId,
        traceId: request.trace.traceId,
      },
      'request',
    );
    done();
  });
};
