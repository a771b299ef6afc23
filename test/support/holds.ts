import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { behindSeconds } from '#projections';
import { PROJECTIONS } from '../../apps/worker/projections/catalogue.js';
import { checkAll } from '../../tools/chaos/checks/index.js';
import { runToCompletion } from '../../tools/chaos/rest.js';
import { factsOf } from '../../tools/chaos/run.js';
import { readTopics } from '../../tools/stack/topics.js';
import type { Flow } from './flow.js';

/**
 * The time limit of the wait. It is shorter than the test's timeout, so that its error, which names
 * the slow step, occurs first.
 */
const WITHIN_MS = 110_000;

const OPEN_JOBS = `
  SELECT kind, key, state, attempts, due_at, held_until - clock_timestamp() AS held_for, note
    FROM jobs WHERE state <> 'done' AND (subject_id IS NOT NULL OR state <> 'waiting'
                                         OR held_until IS NOT NULL)`;

const openJobs = async (databaseUrl: string): Promise<readonly string[]> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const { rows } = await pool.query(OPEN_JOBS);
    return rows.map((row) => `open job: ${JSON.stringify(row)}`);
  } finally {
    await pool.end();
  }
};

/**
 * Runs `work` and returns its result. After the time limit, throws an error that lists the open
 * jobs and the steps that `work` reported by `note`.
 */
const withStory = async <T>(
  { databases }: Flow['stack'],
  work: (note: (line: string) => void) => Promise<T>,
): Promise<T> => {
  const startedMs = performance.now();
  const story: string[] = [];
  const note = (line: string): void => {
    story.push(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s: ${line}`);
  };
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS);
  }).then(async (): Promise<never> => {
    story.push(...(await openJobs(databases.orchestrator)));
    throw new Error(['the system did not become idle in time', ...story].join('\n'));
  });
  try {
    return await Promise.race([work(note), tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

const LISTS = PROJECTIONS.map(({ name }) => name);

/**
 * Waits until no read model lags, which includes the time until the lease of a killed worker has
 * expired. Reports by `note` which read models lag.
 */
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
      note(`lagging: ${JSON.stringify(behind)}, leases: ${JSON.stringify(rows)}`);
      await sleep(1_000);
    }
  } finally {
    await pool.end();
  }
};

/**
 * Waits until all work has ended and the read models have caught up, runs every check of `npm run
 * chaos`, and returns a line for each violation.
 */
export const brokenAtRest = ({ stack, accepted }: Flow): Promise<readonly string[]> =>
  withStory(stack, async (note) => {
    await runToCompletion(stack, (now, open) => note(`${now}, open: ${JSON.stringify(open)}`));
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
      const results = checkAll(await factsOf({ accepted, published }, orchestrator, sandbox));
      return results.flatMap(({ name, broken }) =>
        broken.map(({ id, why }) => `${name}: ${id} ${why}`),
      );
    } finally {
      await Promise.all([orchestrator.end(), sandbox.end()]);
    }
  });
