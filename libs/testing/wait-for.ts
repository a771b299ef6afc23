import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout, and the pause after the first attempt. */
export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

const GROWTH = 1.5;
/** The longest pause in milliseconds, unless the first one is longer. */
const LONGEST_MS = 200;

/**
 * Calls `poll` repeatedly until it returns a truthy value, and returns that value. An attempt that
 * throws is repeated, too. The pauses grow, because each attempt takes processor time from what it
 * waits for. After the timeout `waitFor` throws, with the error of the last attempt as the cause.
 */
export const waitFor = async <T>(
  poll: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 25 }: WaitOptions = {},
): Promise<NonNullable<T>> => {
  const deadlineMs = Date.now() + timeoutMs;
  for (
    let pauseMs = everyMs;
    ;
    pauseMs = Math.min(pauseMs * GROWTH, Math.max(LONGEST_MS, everyMs))
  ) {
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
    await sleep(pauseMs);
  }
};
