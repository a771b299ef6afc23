import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance } from 'fastify';
import { Problem } from '#platform';

/**
 * So many requests a second for each API key, in each process; the answer to one too many is a 429
 * with Retry-After. Counted after the key is verified: nobody uses up another's share.
 */
export const limitRates = async (
  fastify: FastifyInstance,
  requestsPerSecond: number,
): Promise<void> => {
  await fastify.register(rateLimit, {
    hook: 'preParsing',
    max: requestsPerSecond,
    timeWindow: 1_000,
    keyGenerator: (request) => request.caller?.keyPrefix ?? '',
    // Everything outside /v1 has no caller: health, metrics, reference, webhooks (signed).
    allowList: (request) => request.caller === null,
    errorResponseBuilder: () =>
      new Problem(429, 'rate_limited', 'too many requests: wait as long as Retry-After says'),
  });
};
