import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  isNewer, type LogCursor, type LogEntry, LogReader, type RecordedEvent,
} from '#log';
import { type Logger, LOGGER } from '#platform';

const LOOK_EVERY_MS = 20;
const RETRY_MS = 1_000;
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
  private stopped = false;

  constructor(
    private readonly reader: LogReader,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

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
    this.stopped = true;
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
    while (!this.stopped && this.followers.size > 0) {
      await sleep(await this.look());
    }
    this.cursor = null;
  }

  /** Tells what is new; answers how long to wait before the next look. */
  private async look(): Promise<number> {
    if (this.cursor === null) return 0;
    try {
      const entries = await this.reader.readAfter(this.cursor, BATCH);
      for (const entry of entries) this.tell(entry);
      this.cursor = entries.at(-1)?.cursor ?? this.cursor;
      return entries.length === BATCH ? 0 : LOOK_EVERY_MS;
    } catch (err) {
      this.logger.warn({ err }, 'the log cannot be read now');
      return RETRY_MS;
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
