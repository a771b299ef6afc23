import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import { BudgetSpent, type IntentReader } from '#psp';
import type { Reader } from './background-reads.js';

/** The maximum time that a started read waits for the budget of its next call. */
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
 * A full read of an intent takes up to four calls. A read is delayed before its first call or
 * completed: otherwise many started reads would share the budget, and none would end.
 */
export const intentReader = ({ paced }: Pick<Reader, 'paced'>): IntentReader => {
  let hasBegun = false;
  return paced(async (call) => {
    const answer = await (hasBegun ? patiently(call) : call());
    hasBegun = true;
    return answer;
  }).payments;
};
