import pg from 'pg';
import { checkAll } from '../../tools/chaos/checks/index.js';
import { comeToRest } from '../../tools/chaos/rest.js';
import { factsOf } from '../../tools/chaos/run.js';
import { readTopics } from '../../tools/stack/topics.js';
import type { Flow } from './flow.js';

/**
 * Lets time pass until everything has ended, then makes every check of `npm run chaos`; answers
 * what does not hold.
 */
export const brokenAtRest = async ({ stack, accepted }: Flow): Promise<readonly string[]> => {
  await comeToRest(stack, () => undefined);
  const told = await readTopics(stack);
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
