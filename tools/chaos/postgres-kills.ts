import { waitFor } from '#testing';
import { onServer } from '../infra/databases.mjs';
import type { RunningPostgres } from '../infra/postgres.mjs';

/**
 * The time limit of a connection attempt. A server that is being killed may accept a connection and
 * never respond.
 */
const CONNECT_TIMEOUT_MS = 5_000;

/** Kills a process; a process that has already ended counts as killed. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/**
 * The ids of the server's processes. The query is retried, because the server may be recovering
 * from the previous kill.
 */
const pidsOf = (url: string, where: string): Promise<number[]> =>
  waitFor(
    () =>
      onServer(
        url,
        async (client) => {
          const sql = `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${where}`;
          return (await client.query<{ pid: number }>(sql)).rows.map(({ pid }) => pid);
        },
        { connectTimeoutMs: CONNECT_TIMEOUT_MS },
      ),
    { timeoutMs: 60_000, everyMs: 100 },
  );

/** Kills (-9) the postmaster and every other process of the server, as a power cut would. */
export const killEveryProcess = async (server: RunningPostgres, url: string): Promise<void> => {
  const pids = await pidsOf(url, 'true');
  await server.kill9();
  for (const pid of pids) kill(pid);
};

/**
 * Kills (-9) the process of one session. PostgreSQL then ends all other sessions and recovers.
 * `nth` selects the session, from 0 for the oldest. Returns false if there was no session.
 */
export const killOneSession = async (url: string, nth: number): Promise<boolean> => {
  const pids = await pidsOf(
    url,
    `backend_type = 'client backend' AND datname = current_database()
    ORDER BY backend_start, pid`,
  );
  const pid = pids[nth % pids.length];
  if (pid !== undefined) kill(pid);
  return pid !== undefined;
};
