import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { frameworkProblem } from './problem-mapping.js';

type Counted = (error: null, result: { current: number; ttl: number }) => void;

/**
 * Counts requests by key and window. The plugin's own store is not used, because it shares one
 * object among concurrent requests: each request would read a count that includes all other
 * requests, and all requests would be rejected. Only authenticated callers are counted, so there
 * are few keys.
 */
class CountStore {
  private readonly windows = new Map<string, { endsAtMs: number; count: number }>();

  incr(key: string, counted: Counted, windowMs: number): void {
    const nowMs = performance.now();
    const known = this.windows.get(key);
    const isOver = known === undefined || known.endsAtMs <= nowMs;
    const window = isOver ? { endsAtMs: nowMs + windowMs, count: 0 } : known;
    window.count += 1;
    this.windows.set(key, window);
    counted(null, { current: window.count, ttl: window.endsAtMs - nowMs });
  }

  child(): CountStore {
    return this;
  }
}

/**
 * Limits the requests per second of each authenticated caller; each process counts separately.
 * Above the limit the response is a 429 with Retry-After. Requests are counted after
 * authentication, so that no client can use up the limit of another client. `callerOf` returns null
 * for requests without authentication: health, metrics, signed webhooks.
 */
export const limitRates = async (
  fastify: FastifyInstance,
  requestsPerSecond: number,
  callerOf: (request: FastifyRequest) => string | null,
): Promise<void> => {
  await fastify.register(rateLimit, {
    hook: 'preParsing',
    max: requestsPerSecond,
    timeWindow: 1_000,
    store: CountStore,
    keyGenerator: (request) => callerOf(request) ?? '',
    allowList: (request) => callerOf(request) === null,
    errorResponseBuilder: () => frameworkProblem(429),
  });
};
