import type { FastifyReply } from 'fastify';
import { Rejection } from '#kernel';
import type { TryLimiter } from './try-limiter.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  not_found: 404,
  not_payable: 409,
  changed: 409,
  session_over: 409,
  signing_over: 409,
  invalid_card: 422,
  invalid_account: 422,
};

/**
 * Responds to a request of the page's script, without caching. A `Rejection` becomes an error
 * response with its code; other errors are thrown.
 */
export const answerCall = async (
  reply: FastifyReply,
  work: () => Promise<object>,
): Promise<object> => {
  void reply.header('cache-control', 'no-store');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    void reply.status(STATUS_OF[error.code] ?? 422);
    return { error: error.code, ...error.details };
  }
};

/**
 * Like `answerCall`, for a request that counts as an attempt to pay: above the limit of attempts it
 * responds 429 without executing the request.
 */
export const answerTry = (
  reply: FastifyReply,
  tries: TryLimiter,
  intentId: string,
  work: () => Promise<object>,
): Promise<object> =>
  answerCall(reply, async () => {
    const waitSeconds = tries.take(intentId);
    if (waitSeconds === 0) return work();
    void reply.status(429).header('retry-after', String(waitSeconds));
    return { error: 'too_many_tries' };
  });
