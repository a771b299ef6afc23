import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import type { IntentFinder } from '#payment';
import { BudgetSpent, type PaymentClient } from '#psp-hosted';
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
 * One full look at an intent takes up to four calls. It is held back before the first of them, or
 * carried to its end: else many that begin would share the budget, and none would come through.
 */
export const intentReader = ({ payments }: Pick<Reader, 'payments'>): IntentFinder => {
  let hasBegun = false;
  const within = async <T>(call: (client: PaymentClient) => Promise<T>): Promise<T> => {
    const answer = await (hasBegun ? patiently(() => payments(call)) : payments(call));
    hasBegun = true;
    return answer;
  };
  return {
    findIntentsByOrderId: (id) => within((client) => client.findIntentsByOrderId(id)),
    getIntent: (id) => within((client) => client.getIntent(id)),
    listIntentPayments: (id) => within((client) => client.listIntentPayments(id)),
    listIntentRefunds: (id) => within((client) => client.listIntentRefunds(id)),
    listIntentDisputes: (id) => within((client) => client.listIntentDisputes(id)),
  };
};
