import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

const CHECK_EVERY_MS = 10;

/** Returns a function that counts the requests in progress. */
export const countRequests = (fastify: FastifyInstance): (() => number) => {
  let open = 0;
  fastify.addHook('onRequest', (_request, reply, done) => {
    open += 1;
    // A response emits `close` exactly once, even if the client disconnects before the response is
    // sent.
    reply.raw.once('close', () => {
      open -= 1;
    });
    done();
  });
  return () => open;
};

/**
 * Closes all connections of an app that is `closing`, as soon as no request is in progress. Clients
 * keep idle connections open, for which a server would wait more than a minute. A connection whose
 * request takes longer than `withinMs` is closed as well.
 */
export const cutWhenIdle = async (
  closing: Promise<void>,
  openRequests: () => number,
  withinMs: number,
  cut: () => void,
): Promise<void> => {
  const deadlineMs = performance.now() + withinMs;
  let closed = false;
  const done = closing.finally(() => {
    closed = true;
  });
  while (!closed) {
    if (openRequests() === 0 || performance.now() > deadlineMs) cut();
    await Promise.race([done, sleep(CHECK_EVERY_MS)]);
  }
  await done;
};
