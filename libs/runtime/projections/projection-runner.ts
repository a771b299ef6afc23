import type { LogCursor, LogReader } from '#log';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import type { Pool } from 'pg';
import { moveCursors } from './cursor-moves.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';

/** The maximum number of events that are read and written at a time. */
export const CHUNK_EVENTS = 500;

/** The pause of a failed projection, while the others continue. */
const REST_MS = 2 * SECOND_MS;

interface Member {
  readonly projector: Projector;
  /** By the monotonic clock; null while it works. */
  failsUntilMs: number | null;
}

const isResting = ({ failsUntilMs }: Member): boolean =>
  failsUntilMs !== null && performance.now() < failsUntilMs;

const placeKey = ({ epoch, transactionId, position }: LogCursor): string =>
  `${epoch} ${transactionId} ${position}`;

interface RunnerOptions {
  /** With a logger, a failing projection is logged and paused; without one, its error is thrown. */
  readonly logger?: Logger;
  /**
   * The suffix of the names of the tables and cursors: for tables that are rebuilt beside the
   * current ones.
   */
  readonly suffix?: string;
}

/**
 * Advances projections to the end of the log together: those at the same position, as all are once
 * they have caught up, share one read. Each writes separately, so that a failing one stays behind
 * alone.
 */
export class ProjectionRunner {
  private readonly members: readonly Member[];
  private readonly logger: Logger | null;

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
   * Processes the next chunk of events for each projection from its position. Returns the largest
   * number of events: 0 at the end of the log, `CHUNK_EVENTS` if more follow.
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
    return most;
  }

  /** Returns how many events follow `from`, at most a chunk. */
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

  /** Runs concurrently; a failing one stops no other. */
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
      this.logger.error({ err, work: cursorName }, 'failing, tried again');
    }
    member.failsUntilMs = performance.now() + REST_MS;
  }

  private recovered(member: Member): void {
    if (member.failsUntilMs === null) return;
    member.failsUntilMs = null;
    this.logger?.info({ work: member.projector.cursorName }, 'works again');
  }
}
