import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait in all, and how often to look. */
export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/**
 * Calls `look` until it gives something truthy and returns that. A look that throws counts as "not
 * yet"; when the time is over the last error is the cause of the one thrown.
 */
export const waitFor = async <T>(
  look: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 25 }: WaitOptions = {},
): Promise<NonNullable<T>> => {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadlineMs) {
      throw new Error(`nothing came within ${timeoutMs} ms: ${String(look)}`, { cause });
    }
    await sleep(everyMs);
  }
};
