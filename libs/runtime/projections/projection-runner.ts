import type { LogCursor, LogReader } from '#log';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import type { Pool } from 'pg';
import { moveCursors } from './cursor-moves.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';

/** The maximum number of events that are processed in one chunk. */
export const CHUNK_EVENTS = 500;

/** The pause of a projection that failed; the other projections continue. */
const REST_MS = 2 * SECOND_MS;

/**
 * How long a runner without work uses its cached positions. After a rebuild, perhaps by another
 * process, a projection has a new table and a new cursor, which may be a few events behind the
 * cached position.
 */
const REMEMBERED_MS = 5 * SECOND_MS;

interface Member {
  readonly projector: Projector;
  /** When the pause ends, by the monotonic clock; null if the projection has not failed. */
  failsUntilMs: number | null;
}

const isResting = ({ failsUntilMs }: Member): boolean =>
  failsUntilMs !== null && performance.now() < failsUntilMs;

const placeKey = ({ epoch, transactionId, position }: LogCursor): string =>
  `${epoch} ${transactionId} ${position}`;

interface RunnerOptions {
  /**
   * With a logger, the error of a projection is logged and the projection paused. Without a logger
   * the error is thrown.
   */
  readonly logger?: Logger;
  /**
   * The suffix of the tables and cursors to process, used while a projection is rebuilt beside its
   * current table.
   */
  readonly suffix?: string;
}

/**
 * Processes the events of the log for all projections. Projections at the same position share one
 * read; in the end all projections are at the same position. Each projection writes in its own
 * transaction, so that an error of one projection does not delay the others.
 */
export class ProjectionRunner {
  private readonly members: readonly Member[];
  private readonly logger: Logger | null;
  private readAtMs = performance.now();

  constructor(
    private readonly pool: Pool,
    private readonly reader: Pick<LogReader, 'knows' | 'readAfter' | 'readStreamFrom'>,
    projections: readonly Projection[],
    { logger, suffix = '' }: RunnerOptions = {},
  ) {
    this.logger = logger ?? null;
    this.members = projections.map((projection) => ({
      projector: new Projector(pool, reader, projection, suffix),
      failsUntilMs: null,
    }));
  }

  get cursorNames(): readonly string[] {
    return this.members.map(({ projector }) => projector.cursorName);
  }

  /**
   * Processes the next chunk of events for each projection. Returns the largest number of events
   * that a projection has processed: 0 at the end of the log, `CHUNK_EVENTS` if more may follow.
   */
  async round(): Promise<number> {
    const places = new Map<string, { readonly from: LogCursor; readonly members: Member[] }>();
    await this.forEach(
      this.members.filter((member) => !isResting(member)),
      async (member) => {
        const from = await member.projector.place();
        const known = places.get(placeKey(from));
        if (known) known.members.push(member);
        else places.set(placeKey(from), { from, members: [member] });
      },
    );
    let most = 0;
    for (const { from, members } of places.values()) {
      most = Math.max(most, await this.advance(from, members));
    }
    if (most === 0) this.forgetOldPositions();
    return most;
  }

  private forgetOldPositions(): void {
    if (performance.now() - this.readAtMs < REMEMBERED_MS) return;
    for (const { projector } of this.members) projector.standAt(null);
    this.readAtMs = performance.now();
  }

  /**
   * Processes the events after `from` for projections at this position; returns their number, at
   * most a chunk.
   */
  private async advance(from: LogCursor, members: readonly Member[]): Promise<number> {
    const events = await this.reader.readAfter(from, CHUNK_EVENTS);
    const end = events.at(-1)?.cursor;
    if (end === undefined) return 0;
    const unchanged: Projector[] = [];
    await this.forEach(members, async (member) => {
      if (!(await member.projector.takeIn(from, events))) unchanged.push(member.projector);
      this.recovered(member);
    });
    if (unchanged.length > 0) await moveCursors(this.pool, unchanged, from, end);
    return events.length;
  }

  /**
   * Runs `work` for all projections simultaneously; an error of one projection does not stop the
   * others.
   */
  private async forEach(
    members: readonly Member[],
    work: (member: Member) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      members.map(async (member) => {
        try {
          await work(member);
        } catch (error) {
          this.failed(member, error);
        }
      }),
    );
  }

  private failed(member: Member, err: unknown): void {
    if (this.logger === null) throw err;
    const { cursorName } = member.projector;
    if (member.failsUntilMs === null) {
      this.logger.error({ err, work: cursorName }, 'the projection fails and will be retried');
    }
    member.failsUntilMs = performance.now() + REST_MS;
  }

  private recovered(member: Member): void {
    if (member.failsUntilMs === null) return;
    member.failsUntilMs = null;
    this.logger?.info({ work: member.projector.cursorName }, 'the projection succeeds again');
  }
}
