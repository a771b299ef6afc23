import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import { BudgetSpent, type IntentReader } from '#psp';
import type { Reader } from './background-reads.js';

/** How long a started read waits at most for the budget of its next call, in wall time. */
const PATIENCE_MS = 10 * SECOND_MS;

/** Makes a call that a started read still needs, and waits a moment for the budget if necessary. */
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
 * A full read of an intent takes up to four calls. It is delayed before the first call, or
 * completed: otherwise many started reads would share the budget, and none would be completed.
 */
export const intentReader = ({ paced }: Pick<Reader, 'paced'>): IntentReader => {
  let hasBegun = false;
  return paced(async (call) => {
    const answer = await (hasBegun ? patiently(call) : call());
    hasBegun = true;
    return answer;
  }).payments;
};
