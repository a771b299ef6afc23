import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { behindSeconds } from '#projections';
import { PROJECTIONS } from '../../apps/worker/projections/catalogue.js';
import { checkAll } from '../../tools/chaos/checks/index.js';
import { comeToRest } from '../../tools/chaos/rest.js';
import { factsOf } from '../../tools/chaos/run.js';
import { readTopics } from '../../tools/stack/topics.js';
import type { Flow } from './flow.js';

/** Less than its tests may take: the failure then says what took the time. */
const WITHIN_MS = 110_000;

/** The work's answer; throws the story so far when it takes too long. */
const withStory = async <T>(work: (note: (line: string) => void) => Promise<T>): Promise<T> => {
  const startedMs = performance.now();
  const story: string[] = [];
  const note = (line: string): void => {
    story.push(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s: ${line}`);
  };
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(['it has not come to rest', ...story].join('\n'))),
      WITHIN_MS,
    );
  });
  try {
    return await Promise.race([work(note), tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

const LISTS = PROJECTIONS.map(({ name }) => name);

/** As long as the loop's lease may be a dead worker's, and more; tells meanwhile which are behind. */
const listsCaughtUp = async (
  { databases }: Flow['stack'],
  note: (line: string) => void,
): Promise<void> => {
  const pool = new pg.Pool({ connectionString: databases.orchestrator, max: 1 });
  try {
    for (;;) {
      const behind = [...(await behindSeconds(pool, LISTS))].filter(([, seconds]) => seconds > 0);
      if (behind.length === 0) return;
      const { rows } = await pool.query('SELECT name, holder, expires_at FROM leases');
      note(`behind: ${JSON.stringify(behind)}, leases: ${JSON.stringify(rows)}`);
      await sleep(1_000);
    }
  } finally {
    await pool.end();
  }
};

/**
 * Lets time pass until everything has ended, and the lists tell of it; then makes every check of `npm run chaos`; answers
 * what does not hold.
 */
export const brokenAtRest = ({ stack, accepted }: Flow): Promise<readonly string[]> =>
  withStory(async (note) => {
    await comeToRest(stack, (now, open) => note(`${now}, open: ${JSON.stringify(open)}`));
    await listsCaughtUp(stack, note);
    note('reading the topics');
    const published = await readTopics(stack);
    note('reading the databases');
    const orchestrator = new pg.Pool({
      connectionString: stack.databases.orchestrator,
      max: 1,
    });
    const sandbox = new pg.Pool({ connectionString: stack.databases.sandbox, max: 1 });
    try {
      const results = checkAll(await factsOf({ accepted, told: published }, orchestrator, sandbox));
      return results.flatMap(({ name, broken }) =>
        broken.map(({ id, why }) => `${name}: ${id} ${why}`),
      );
    } finally {
      await Promise.all([orchestrator.end(), sandbox.end()]);
    }
  });
