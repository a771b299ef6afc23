import { setTimeout as sleep } from 'node:timers/promises';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from '../stack/stack.js';
import { FailedDuringRun } from './failed-during-run.js';

/** Many times the interval in which idle workers claim jobs. */
const TAKEN_OVER_WITHIN_MS = 60_000;

/** The jobs whose claim expired a while ago: a worker may be taking over those that expire now. */
const EXPIRED = `
  SELECT count(*)::int AS count FROM jobs
   WHERE state = 'running' AND held_until < clock_timestamp() - interval '10 seconds'`;

/**
 * Waits until workers have taken over all jobs whose claims have expired, e.g. those of killed
 * workers. Otherwise the clock would wait for these jobs at each of its stops.
 * @throws FailedDuringRun if claims remain expired
 */
export const expiredClaimsTakenOver = ({ databases }: Stack): Promise<void> =>
  onServer(databases.orchestrator, async (client) => {
    const untilMs = Date.now() + TAKEN_OVER_WITHIN_MS;
    for (;;) {
      const { rows } = await client.query<{ count: number }>(EXPIRED);
      const count = rows[0]?.count ?? 0;
      if (count === 0) return;
      if (Date.now() > untilMs) {
        throw new FailedDuringRun(
          `a worker takes over each job whose claim has expired: ${count} jobs are still claimed`,
        );
      }
      await sleep(500);
    }
  });
