import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { waitFor } from '#testing';
import { onServer } from '../infra/databases.mjs';
import { type RunningPostgres, startPostgres } from '../infra/postgres.mjs';
import { postgresData } from '../infra/postgres-user.mjs';
import { freePort, scratchDir } from '../infra/processes.mjs';

const PROMOTED_WITHIN_MS = 30_000;

/** Executes one statement on a separate connection. */
export const queryServer = <Row extends object>(
  url: string,
  sql: string,
): Promise<readonly Row[]> => onServer(url, async (client) => (await client.query<Row>(sql)).rows);

/**
 * Starts a separate server for the provider's database, so that a failure of the orchestrator's
 * server does not undo what the provider has done.
 */
export const startProviderPostgres = async (
  name: string,
  password: string,
  logDir: string,
): Promise<RunningPostgres> =>
  startPostgres({
    folder: `${name}-provider`,
    port: await freePort(),
    password,
    logFile: join(logDir, 'provider-postgres.log'),
    throwaway: true,
  });

/**
 * Copies the data folder `from` of a stopped server to the new data folder `to`, with its owner.
 * The copy is deleted when this process ends.
 */
export const copyDataFolder = (from: string, to: string): void => {
  const target = postgresData(to);
  scratchDir(dirname(target));
  execFileSync('cp', ['-a', postgresData(from), target]);
};

/** Waits until the server has ended its recovery and accepts writes. */
export const untilPromoted = async (url: string): Promise<void> => {
  const isPromoted = async (): Promise<boolean> => {
    const [row] = await queryServer<{ recovers: boolean }>(
      url,
      'SELECT pg_is_in_recovery() AS recovers',
    );
    return row?.recovers === false;
  };
  await waitFor(isPromoted, { timeoutMs: PROMOTED_WITHIN_MS });
};
