import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

type Counted = (error: null, result: { current: number; ttl: number }) => void;

/**
 * Counts by key and window. The plugin's own store gives the same object to all requests of a
 * burst, which read it when the whole burst is counted: then every one of them is refused. Only
 * verified callers are counted, so there are never many.
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
 * So many requests a second for each verified caller, in each process; the answer to one too many
 * is a 429 with Retry-After. Counted once the caller is authenticated: no client uses up another's
 * share. `callerOf` returns null where no caller is authenticated: health, metrics, signed
 * webhooks.
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
    errorResponseBuilder: () =>
      new Problem(429, 'rate_limited', 'too many requests: wait as long as Retry-After says'),
  });
};
