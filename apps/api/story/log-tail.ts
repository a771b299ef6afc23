import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  Idle,
  isNewer,
  type LogCursor,
  type LogEntry,
  LogReader,
  type RecordedEvent,
  Wakes,
} from '#log';
import { type Logger, LOGGER } from '#platform';

/** However much is committed, the log is read so often at most. */
const IDLE_MS = { gather: 20 };
const BATCH = 500;

interface Follower {
  readonly take: (event: RecordedEvent) => void;
  readonly end: () => void;
}

export interface Subscription {
  /** Everything that is told comes after this; everything up to it can be read already. */
  readonly from: LogCursor;
  close(): void;
}

/**
 * The end of the log, read once for all who follow it in this process, and only while somebody
 * does. Events are told by their correlation: the order or the merchant that they happened for.
 */
@Injectable()
export class LogTail implements OnModuleDestroy {
  private readonly followers = new Map<string, Set<Follower>>();
  private cursor: LogCursor | null = null;
  private starting: Promise<LogCursor> | null = null;
  private readonly stopping = new AbortController();
  private readonly idle = new Idle(IDLE_MS);

  constructor(
    private readonly reader: LogReader,
    wakes: Wakes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    wakes.on('log', () => this.idle.wake());
  }

  /** `end` is called when the process stops; the follower may resume elsewhere. */
  async follow(subjectId: string, follower: Follower): Promise<Subscription> {
    const set = this.followers.get(subjectId) ?? new Set();
    this.followers.set(subjectId, set.add(follower));
    const close = (): void => {
      set.delete(follower);
      if (set.size === 0 && this.followers.get(subjectId) === set) {
        this.followers.delete(subjectId);
      }
    };
    try {
      return { from: await this.position(), close };
    } catch (error) {
      close();
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
    for (const set of this.followers.values()) for (const { end } of set) end();
    this.followers.clear();
  }

  private async position(): Promise<LogCursor> {
    if (this.cursor !== null) return this.cursor;
    this.starting ??= this.start();
    return this.starting;
  }

  private async start(): Promise<LogCursor> {
    try {
      const cursor = await this.reader.end();
      this.cursor = cursor;
      void this.run();
      return cursor;
    } finally {
      this.starting = null;
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && this.followers.size > 0) {
      if ((await this.look()) === 'idle') await this.idle.wait(signal);
    }
    this.cursor = null;
  }

  /** Tells what is new. `more`: there was as much as is read at once. */
  private async look(): Promise<'more' | 'idle'> {
    if (this.cursor === null) return 'idle';
    try {
      this.idle.reading();
      const entries = await this.reader.readAfter(this.cursor, BATCH);
      for (const entry of entries) this.tell(entry);
      this.cursor = entries.at(-1)?.cursor ?? this.cursor;
      if (entries.length > 0) this.idle.soon();
      return entries.length === BATCH ? 'more' : 'idle';
    } catch (err) {
      this.logger.warn({ err }, 'the log cannot be read now');
      return 'idle';
    }
  }

  private tell(entry: LogEntry): void {
    const { correlationId } = isNewer(entry) ? entry : entry.metadata;
    const set = this.followers.get(correlationId);
    if (set === undefined) return;
    if (!isNewer(entry)) {
      for (const { take } of set) take(entry);
      return;
    }
    // Only a newer release can read it: the follower resumes at a process that does.
    this.logger.error(entry, 'only a newer release can read this event: its streams are ended');
    for (const { end } of set) end();
  }
}
