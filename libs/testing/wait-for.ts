import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout, and the interval between two attempts. */
export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Calls `poll` until it returns a truthy value, and returns that value. If an attempt throws, it is
 * repeated; after the timeout the last error is the cause of the thrown error.
 */
export const waitFor = async <T>(
  poll: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 25 }: WaitOptions = {},
): Promise<NonNullable<T>> => {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const found = await poll();
      if (found) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadlineMs) {
      throw new Error(`no result within ${timeoutMs} ms: ${String(poll)}`, { cause });
    }
    await sleep(everyMs);
  }
};
