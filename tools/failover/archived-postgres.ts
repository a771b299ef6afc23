import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitFor } from '#testing';
import { killEveryProcess } from '../chaos/postgres-kills.js';
import { type RunningPostgres, startPostgres } from '../infra/postgres.mjs';
import { postgresData } from '../infra/postgres-user.mjs';
import { freePort } from '../infra/processes.mjs';
import { MovableAddress } from './movable-address.js';
import { copyDataFolder, queryServer, untilPromoted } from './servers.js';

const ARCHIVED_WITHIN_MS = 30_000;
const WORLD_WRITABLE = 0o777;

/** A PostgreSQL server with a base backup and a WAL archive, at one address. */
export class ArchivedPostgres {
  private restored: RunningPostgres | null = null;

  private constructor(
    private readonly name: string,
    private readonly password: string,
    private readonly logFile: string,
    private readonly server: RunningPostgres,
    private readonly address: MovableAddress,
    /** The URL of the server, with the administrator as the user and the database `postgres`. */
    readonly url: string,
  ) {}

  static async start(name: string, password: string, logFile: string): Promise<ArchivedPostgres> {
    const port = await freePort();
    const archive = archiveOf(name);
    const server = await startPostgres({
      folder: name,
      port,
      password,
      logFile,
      throwaway: true,
      settings: {
        archive_mode: 'on',
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      },
    });
    // The archive folder can be created only after the server's data folder. Until then archiving
    // fails, and PostgreSQL retries it.
    mkdirSync(archive, { recursive: true });
    chmodSync(archive, WORLD_WRITABLE);
    await server.stop();
    copyDataFolder(name, backupOf(name));
    await server.restart();
    const address = await MovableAddress.start(port);
    const url = `${server.url}/postgres`.replace(`:${port}/`, `:${address.port}/`);
    return new ArchivedPostgres(name, password, logFile, server, address, url);
  }

  /** The present time by the server's clock, to which the server can be restored. */
  async now(): Promise<string> {
    const [row] = await queryServer<{ now: string }>(this.url, 'SELECT now()::text AS now');
    return row?.now ?? '';
  }

  /**
   * Kills the server, and starts another server from the base backup and the archived WAL up to
   * `time`.
   */
  async restoreTo(time: string): Promise<void> {
    await this.archiveAll();
    await killEveryProcess(this.server, this.url);
    const folder = `${this.name}-restored`;
    copyDataFolder(backupOf(this.name), folder);
    writeFileSync(join(postgresData(folder), 'recovery.signal'), '');
    const port = await freePort();
    this.restored = await startPostgres({
      folder,
      port,
      password: this.password,
      logFile: this.logFile.replace(/\.log$/, '-restored.log'),
      throwaway: true,
      settings: {
        restore_command: `cp ${archiveOf(this.name)}/%f %p`,
        recovery_target_time: time,
        recovery_target_action: 'promote',
      },
    });
    await untilPromoted(`${this.restored.url}/postgres`);
    this.address.moveTo(port);
  }

  async stop(): Promise<void> {
    await this.address.close();
    await Promise.all([this.server.stop(), this.restored?.stop()]);
  }

  /** Waits until the WAL that was written so far is in the archive. */
  private async archiveAll(): Promise<void> {
    const [row] = await queryServer<{ file: string }>(
      this.url,
      'SELECT pg_walfile_name(pg_switch_wal()) AS file',
    );
    const isArchived = async (): Promise<boolean> => {
      const rows = await queryServer(
        this.url,
        `SELECT FROM pg_stat_archiver WHERE last_archived_wal >= '${row?.file}'`,
      );
      return rows.length === 1;
    };
    await waitFor(isArchived, { timeoutMs: ARCHIVED_WITHIN_MS });
  }
}

const backupOf = (name: string): string => `${name}-backup`;

const archiveOf = (name: string): string => join(dirname(postgresData(name)), 'archive');
