import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import { killEveryProcess } from '../chaos/postgres-kills.js';
import { type RunningPostgres, startPostgres } from '../infra/postgres.mjs';
import { postgresData } from '../infra/postgres-user.mjs';
import { freePort } from '../infra/processes.mjs';
import { MovableAddress } from './movable-address.js';
import { copyDataFolder, queryServer, untilPromoted } from './servers.js';

const STREAMING_WITHIN_MS = 30_000;

/**
 * A PostgreSQL server with a synchronous standby, behind one address. A commit returns only after
 * the standby has stored it.
 */
export class ReplicatedPostgres {
  private constructor(
    private readonly primary: RunningPostgres,
    private readonly standby: RunningPostgres,
    private readonly address: MovableAddress,
    private readonly standbyPort: number,
    /**
     * The URL of the current primary, with the administrator as the user and the database
     * `postgres`.
     */
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
    copyDataFolder(`${name}-primary`, `${name}-standby`);
    writeFileSync(join(postgresData(`${name}-standby`), 'standby.signal'), '');
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
    await queryServer(primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await queryServer(primaryUrl, 'SELECT pg_reload_conf()');
    await waitFor(
      async () => {
        const rows = await queryServer(
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

  /**
   * Suspends replication while `work` runs. The standby's process that receives the WAL is
   * suspended, so that the standby stays connected but stores nothing.
   */
  async whileNotReplicated(work: () => Promise<void>): Promise<void> {
    const [receiver] = await queryServer<{ pid: number }>(
      `${this.standby.url}/postgres`,
      'SELECT pid FROM pg_stat_wal_receiver',
    );
    assert(receiver !== undefined, 'the standby receives the WAL');
    process.kill(receiver.pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(receiver.pid, 'SIGCONT');
    }
  }

  /**
   * Kills every process of the primary, promotes the standby, and forwards the address to it.
   * Returns the time at which the primary was dead.
   */
  async failOver(): Promise<Date> {
    await killEveryProcess(this.primary, `${this.primary.url}/postgres`);
    const killedAt = new Date();
    const standbyUrl = `${this.standby.url}/postgres`;
    await queryServer(standbyUrl, 'SELECT pg_promote()');
    await untilPromoted(standbyUrl);
    this.address.moveTo(this.standbyPort);
    return killedAt;
  }

  async stop(): Promise<void> {
    await this.address.close();
    await Promise.all([this.primary.stop(), this.standby.stop()]);
  }
}
