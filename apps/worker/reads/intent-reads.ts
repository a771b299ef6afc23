import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import { BudgetSpent, type IntentReader } from '#psp';
import type { Reader } from './background-reads.js';

/** A read that has begun waits for its next call at most so long, wall time. */
const PATIENCE_MS = 10 * SECOND_MS;

/** Makes a call that what has begun still needs, also when the budget gives it only in a moment. */
export const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof BudgetSpent) || error.waitMs > PATIENCE_MS) throw error;
      await sleep(error.waitMs);
    }
  }
};

/**
 * One full read of an intent takes up to four calls. It is held back before the first of them, or
 * made to its end: else many that begin would share the budget, and none would come through.
 */
export const intentReader = ({ paced }: Pick<Reader, 'paced'>): IntentReader => {
  let hasBegun = false;
  return paced(async (call) => {
    const answer = await (hasBegun ? patiently(call) : call());
    hasBegun = true;
    return answer;
  }).payments;
};
