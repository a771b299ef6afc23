import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import { BudgetSpent, type IntentReader } from '#psp';
import type { Reader } from './background-reads.js';

/** The maximum time that a started read waits for the budget of its next call. */
const PATIENCE_MS = 10 * SECOND_MS;

/**
 * Makes a call of a read that has already begun; waits a moment for the call budget if necessary.
 */
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
 * A full read of an intent takes up to four calls. Only the first call of a read may be refused for
 * lack of budget; the further calls wait. Otherwise many reads would begin, use up the budget, and
 * never end.
 */
export const intentReader = ({ paced }: Pick<Reader, 'paced'>): IntentReader => {
  let hasBegun = false;
  return paced(async (call) => {
    const answer = await (hasBegun ? patiently(call) : call());
    hasBegun = true;
    return answer;
  }).payments;
};
