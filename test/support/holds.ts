import pg from 'pg';
import { checkAll } from '../../tools/chaos/checks/index.js';
import type { AcceptedFact } from '../../tools/chaos/facts.js';
import { comeToRest } from '../../tools/chaos/rest.js';
import { factsOf } from '../../tools/chaos/run.js';
import type { Stack } from '../../tools/stack/stack.js';
import { readTopics } from '../../tools/stack/topics.js';

/** What the platform was told of an order, as the checks want it. */
export const acceptedAs = (reference: string, orderId: string): AcceptedFact => ({
  key: reference, reference, orderIds: [orderId], canceledAtProvider: false,
});

/**
 * Lets time pass until everything has ended, then makes every check of `npm run chaos`; answers
 * what does not hold.
 */
export const brokenAtRest = async (
  stack: Stack, accepted: readonly AcceptedFact[],
): Promise<readonly string[]> => {
  await comeToRest(stack, () => undefined);
  const told = await readTopics(stack.brokers, stack.topicPrefix);
  const orchestrator = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  const sandbox = new pg.Pool({ connectionString: stack.databases.sandbox, max: 1 });
  try {
    const results = checkAll(await factsOf({ accepted, told }, orchestrator, sandbox));
    return results.flatMap(({ name, broken }) =>
      broken.map(({ id, why }) => `${name}: ${id} ${why}`));
  } finally {
    await Promise.all([orchestrator.end(), sandbox.end()]);
  }
};
