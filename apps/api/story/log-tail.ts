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

/**
 * `gather`: the average pause between reads of the event log in milliseconds, even if events are
 * committed continuously. `burst`: how many reads may follow one another without a pause after a
 * quiet period, so that the few events of one payer are delivered immediately.
 */
const IDLE_MS = { gather: 22, burst: 4 };
const BATCH = 500;

interface Follower {
  readonly take: (event: RecordedEvent) => void;
  readonly end: () => void;
}

export interface Subscription {
  /**
   * Events after this log position are delivered; all events up to this position can already be
   * read from the log.
   */
  readonly from: LogCursor;
  close(): void;
}

/**
 * Reads the end of the event log with one query for all followers in this process, and only while
 * there are followers. Each follower gets the events whose correlation id is its order or merchant.
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

  /**
   * Follows an order or merchant. `end` is called when the process stops, or at once if it is
   * already stopping; the follower may then reconnect to another process.
   */
  async follow(subjectId: string, follower: Follower): Promise<Subscription> {
    const set = this.followers.get(subjectId) ?? new Set();
    this.followers.set(subjectId, set.add(follower));
    if (this.stopping.signal.aborted) follower.end();
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
      const cursor = (await this.reader.end()).newest;
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
      if ((await this.readBatch()) === 'idle') await this.idle.wait(signal);
    }
    this.cursor = null;
  }

  /** Reads new events and passes them to the followers. Returns `more` if the batch was full. */
  private async readBatch(): Promise<'more' | 'idle'> {
    if (this.cursor === null) return 'idle';
    try {
      this.idle.reading();
      const entries = await this.reader.readAfter(this.cursor, BATCH);
      for (const entry of entries) this.distribute(entry);
      this.cursor = entries.at(-1)?.cursor ?? this.cursor;
      if (entries.length > 0) this.idle.soon();
      return entries.length === BATCH ? 'more' : 'idle';
    } catch (err) {
      this.logger.warn({ err }, 'reading the log failed and will be retried');
      return 'idle';
    }
  }

  private distribute(entry: LogEntry): void {
    const { correlationId } = entry.metadata;
    const set = this.followers.get(correlationId);
    if (set === undefined) return;
    if (!isNewer(entry)) {
      for (const { take } of set) take(entry);
      return;
    }
    // Only a newer release can read this event: the streams are ended, so that the clients
    // reconnect to a process of the newer release.
    this.logger.error(
      entry,
      'only a newer release can read this event: the open streams of its order or merchant are closed',
    );
    for (const { end } of set) end();
  }
}
