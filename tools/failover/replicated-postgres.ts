import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '#testing';
import { killEveryProcess } from '../chaos/postgres-kills.js';
import { type RunningPostgres, startPostgres } from '../infra/postgres.mjs';
import { postgresData } from '../infra/postgres-user.mjs';
import { freePort } from '../infra/processes.mjs';
import { MovableAddress } from './movable-address.js';

const STREAMING_WITHIN_MS = 30_000;
const PROMOTED_WITHIN_MS = 30_000;

const onServer = async <Row extends object>(url: string, sql: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

/** Copies the data folder of a stopped server, with its owner, for a standby. */
const copyForStandby = (from: string, to: string): void => {
  const [source, target] = [postgresData(from), postgresData(to)];
  rmSync(target, { recursive: true, force: true });
  execFileSync('cp', ['-a', source, target]);
  writeFileSync(join(target, 'standby.signal'), '');
};

/**
 * A PostgreSQL server with a synchronous standby, at one address: a commit returns only after the
 * standby has stored it.
 */
export class ReplicatedPostgres {
  private constructor(
    private readonly primary: RunningPostgres,
    private readonly standby: RunningPostgres,
    private readonly address: MovableAddress,
    private readonly standbyPort: number,
    /** The URL of the current primary, for the administrator; with the database `postgres`. */
    readonly url: string,
  ) {}

  static async start(name: string, password: string, logFile: string): Promise<ReplicatedPostgres> {
    const [primaryPort, standbyPort] = [await freePort(), await freePort()];
    const common = { password, throwaway: true };
    const primary = await startPostgres({
      ...common,
      folder: `${name}-primary`,
      port: primaryPort,
      logFile,
    });
    await primary.stop();
    copyForStandby(`${name}-primary`, `${name}-standby`);
    await primary.restart();
    const standby = await startPostgres({
      ...common,
      folder: `${name}-standby`,
      port: standbyPort,
      logFile: logFile.replace(/\.log$/, '-standby.log'),
      settings: {
        primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=postgres password=${password}`,
      },
    });
    const primaryUrl = `${primary.url}/postgres`;
    await onServer(primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await onServer(primaryUrl, 'SELECT pg_reload_conf()');
    await waitFor(
      async () => {
        const rows = await onServer(
          primaryUrl,
          `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
        );
        return rows.length === 1;
      },
      { timeoutMs: STREAMING_WITHIN_MS },
    );
    const address = await MovableAddress.start(primaryPort);
    const url = primaryUrl.replace(`:${primaryPort}/`, `:${address.port}/`);
    return new ReplicatedPostgres(primary, standby, address, standbyPort, url);
  }

  /** Kills every process of the primary, promotes the standby, and moves the address to it. */
  async failOver(): Promise<void> {
    await killEveryProcess(this.primary, `${this.primary.url}/postgres`);
    const standbyUrl = `${this.standby.url}/postgres`;
    await onServer(standbyUrl, 'SELECT pg_promote()');
    await waitFor(
      async () => {
        const [row] = await onServer<{ recovers: boolean }>(
          standbyUrl,
          'SELECT pg_is_in_recovery() AS recovers',
        );
        return row?.recovers === false;
      },
      { timeoutMs: PROMOTED_WITHIN_MS },
    );
    this.address.moveTo(this.standbyPort);
  }

  async stop(): Promise<void> {
    await this.address.close();
    await Promise.all([this.primary.stop(), this.standby.stop()]);
  }
}
