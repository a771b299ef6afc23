import type { LogCursor, LogReader } from '#event-store';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import type { Pool } from 'pg';
import { moveCursors } from './cursor-moves.js';
import { CHUNK_EVENTS, Projector } from './projector.js';
import type { Projection } from './projection.js';

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

/**
 * Keeps projections at the end of the log together: what stands at one place of it, as all do once
 * they have caught up, shares one reading. Each writes for itself, so that one that fails is left
 * behind alone.
 */
export class ProjectionGroup {
  private readonly members: readonly Member[];

  constructor(
    private readonly pool: Pool,
    private readonly reader: Pick<LogReader, 'knows' | 'readAfter' | 'readStreamFrom'>,
    projections: readonly Projection[],
    private readonly logger: Logger,
  ) {
    this.members = projections.map((projection) => ({
      projector: new Projector(pool, reader, projection), failsUntilMs: null,
    }));
  }

  /** Takes in the next events, for each projection from where it stands. */
  async round(): Promise<'more' | 'idle'> {
    const places = new Map<string, { readonly from: LogCursor; readonly members: Member[] }>();
    await this.forEach(this.members.filter((member) => !isResting(member)), async (member) => {
      const from = await member.projector.place();
      const known = places.get(placeKey(from));
      if (known) known.members.push(member);
      else places.set(placeKey(from), { from, members: [member] });
    });
    const taken: number[] = [];
    for (const { from, members } of places.values()) taken.push(await this.advance(from, members));
    return taken.includes(CHUNK_EVENTS) ? 'more' : 'idle';
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
    members: readonly Member[], work: (member: Member) => Promise<void>,
  ): Promise<void> {
    await Promise.all(members.map(async (member) => {
      try {
        await work(member);
      } catch (error) {
        this.failed(member, error);
      }
    }));
  }

  private failed(member: Member, err: unknown): void {
    const { cursorName } = member.projector;
    if (member.failsUntilMs === null) {
      this.logger.error({ err, work: cursorName }, 'failing, tried again');
    }
    member.failsUntilMs = performance.now() + REST_MS;
  }

  private recovered(member: Member): void {
    if (member.failsUntilMs === null) return;
    member.failsUntilMs = null;
    this.logger.info({ work: member.projector.cursorName }, 'works again');
  }
}
