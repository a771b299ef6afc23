import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { WorkLoop } from '#jobs';
import { csvOf, EVERYTHING, Lists } from '#lists';
import { type Logger, LOGGER, Problem } from '#platform';
import { type ClaimedExport, ExportClaims } from './export-claims.js';
import {
  EXPORT_LIMITS,
  EXPORTED_LISTS,
  type ExportedLists,
  type ExportLimits,
} from './exported-lists.js';
import { Exports } from './exports.js';

/** The pauses between claims without work, in milliseconds. */
const IDLE_MS = { first: 1_000 } as const;

/**
 * Writes the files of exports, one at a time in each process and one page of rows in memory. Each
 * page is stored with the position of the next one, so that another process continues a file after
 * the last stored page.
 */
@Injectable()
export class ExportRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly claims: ExportClaims;
  private readonly loop: WorkLoop<ClaimedExport>;
  private isStopping = false;

  constructor(
    @Inject(Pool) pool: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EXPORTED_LISTS) private readonly exported: ExportedLists,
    @Inject(EXPORT_LIMITS) private readonly limits: ExportLimits,
    private readonly lists: Lists,
    private readonly exports: Exports,
  ) {
    this.claims = new ExportClaims(pool);
    this.loop = new WorkLoop({
      name: 'exports',
      logger,
      width: 1,
      idleMs: IDLE_MS,
      claim: () => this.claim(),
      run: (claimed) => this.write(claimed),
    });
  }

  onApplicationBootstrap(): void {
    this.exports.onRequested(() => this.wake());
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
  }

  wake(): void {
    this.loop.wake();
  }

  private async claim(): Promise<readonly ClaimedExport[]> {
    await this.claims.deleteExpired();
    const claimed = await this.claims.claim(Object.keys(this.exported));
    return claimed === null ? [] : [claimed];
  }

  private async write(claimed: ClaimedExport): Promise<void> {
    let { cursor, rows } = claimed;
    const list = this.exported[claimed.list]?.list;
    try {
      while (list !== undefined && !this.isStopping) {
        const { items, nextCursor } = await this.lists.page(list, EVERYTHING, {
          ...claimed.query,
          limit: this.limits.pageRows,
          ...(cursor !== null && { cursor }),
        });
        rows += items.length;
        if (rows > this.limits.maxRows) return await this.claims.fail(claimed, 'too_many_rows');
        const text = csvOf(list, items, { hasHeader: cursor === null });
        const isStored = await this.claims.add(claimed, { text, rows: items.length, nextCursor });
        if (!isStored || nextCursor === null) return;
        cursor = nextCursor;
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return await this.claims.fail(claimed, 'refused');
    }
    await this.claims.release(claimed);
  }
}
