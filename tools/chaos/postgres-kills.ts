import { waitFor } from '#testing';
import pg from 'pg';
import type { RunningPostgres } from '../infra/postgres.mjs';

const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // We are about to kill the other end.
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** A process that has ended between the query and the kill counts as killed. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** The server may still be recovering from the previous kill, so the query is retried. */
const pidsOf = (url: string, where: string): Promise<number[]> =>
  waitFor(
    () =>
      onServer(url, async (client) => {
        const sql = `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${where}`;
        return (await client.query<{ pid: number }>(sql)).rows.map(({ pid }) => pid);
      }),
    { timeoutMs: 60_000, everyMs: 100 },
  );

/** Kills (-9) the postmaster and every other process of the server, as a power cut would. */
export const killEveryProcess = async (server: RunningPostgres, url: string): Promise<void> => {
  const pids = await pidsOf(url, 'true');
  await server.kill9();
  for (const pid of pids) kill(pid);
};

/** Kills (-9) one session: the server ends all others and recovers by itself. */
export const killOneSession = async (url: string): Promise<void> => {
  const [pid] = await pidsOf(
    url,
    `backend_type = 'client backend' AND datname = current_database()
    ORDER BY random() LIMIT 1`,
  );
  if (pid !== undefined) kill(pid);
};
