import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 10;

/** How many requests are being answered now. */
export const countRequests = (fastify: FastifyInstance): (() => number) => {
  let open = 0;
  fastify.addHook('onRequest', (_request, reply, done) => {
    open += 1;
    // Comes once for each request, also where the caller hangs up before the answer.
    reply.raw.once('close', () => {
      open -= 1;
    });
    done();
  });
  return () => open;
};

/**
 * While `closing` goes on: cuts the connections as soon as no request is being answered, as callers
 * keep them open for the next one and a server waits for them for more than a minute. Requests that
 * are not answered within `withinMs` are cut as well.
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
    await Promise.race([done, sleep(LOOK_EVERY_MS)]);
  }
  await done;
};
