import type { LogCursor, LogReader } from '#log';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import type { Pool } from 'pg';
import { moveCursors } from './cursor-moves.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';

/** At most so many events are read and written at a time. */
export const CHUNK_EVENTS = 500;

/** How long a projection that failed is left alone, while the others go on. */
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
  /** With one, a projection that fails is logged and rests; without, what it throws is thrown. */
  readonly logger?: Logger;
  /** Of the names of the tables and cursors: of those that are built beside the ones in use. */
  readonly suffix?: string;
}

/**
 * Carries projections on to the end of the log together: what stands at one place of it, as all do
 * once they have caught up, shares one reading. Each writes for itself, so that one that fails is
 * left behind alone.
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
   * Takes in the next chunk of events, for each projection from where it stands. Answers how many
   * they were for the one with the most: 0 at the end of the log, `CHUNK_EVENTS` where more follow.
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

  /** Answers how many events follow on `from`, a chunk at most. */
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

  /** Side by side; one that fails stops no other. */
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
