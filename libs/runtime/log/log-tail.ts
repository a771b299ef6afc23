import { setTimeout as sleep } from 'node:timers/promises';
import type { FactoryProvider, OnModuleDestroy } from '@nestjs/common';
import { type Logger, LOGGER } from '#platform';
import type { LogEntry } from './event-row.js';
import { Idle, type IdleMs } from './idle.js';
import { LogReader } from './log-reader.js';
import type { LogCursor } from './stream.js';
import { Wakes } from './wakes.js';

const BATCH = 500;

/** The pauses between two reads in milliseconds. */
export interface TailMs extends IdleMs {
  /** How long a read is delayed after a notification, to read more together. Default: 0. */
  readonly delay?: number;
}

export interface LogFollower {
  /** Takes new entries in log order, also those that only a newer release can read. */
  readonly take: (entries: readonly LogEntry[]) => void;
  /**
   * Called when the process stops, or at once if it is already stopping; the follower may then
   * reconnect to another process.
   */
  readonly end: () => void;
}

export interface Subscription {
  /**
   * Entries after this log position are delivered; all entries up to this position can already be
   * read from the log.
   */
  readonly from: LogCursor;
  close(): void;
}

/**
 * Reads the end of the event log with one query for all followers in this process, and only while
 * there are followers.
 */
export class LogTail implements OnModuleDestroy {
  private readonly followers = new Set<LogFollower>();
  private cursor: LogCursor | null = null;
  private starting: Promise<LogCursor> | null = null;
  private readonly stopping = new AbortController();
  private readonly idle: Idle;
  private readonly delayMs: number;

  constructor(
    private readonly reader: LogReader,
    wakes: Wakes,
    private readonly logger: Logger,
    { delay = 0, ...idle }: TailMs,
  ) {
    this.delayMs = delay;
    this.idle = new Idle(idle);
    wakes.on('log', () => this.idle.wake());
  }

  /** The tail as a provider of a Nest module. */
  static provider(pauses: TailMs): FactoryProvider<LogTail> {
    return {
      provide: LogTail,
      inject: [LogReader, Wakes, LOGGER],
      useFactory: (reader: LogReader, wakes: Wakes, logger: Logger) =>
        new LogTail(reader, wakes, logger, pauses),
    };
  }

  /** Follows the log from its end on. */
  async follow(follower: LogFollower): Promise<Subscription> {
    this.followers.add(follower);
    if (this.stopping.signal.aborted) follower.end();
    const close = (): void => void this.followers.delete(follower);
    try {
      return { from: await this.position(), close };
    } catch (error) {
      close();
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
    for (const { end } of this.followers) end();
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
      if ((await this.readBatch()) === 'more') continue;
      await this.idle.wait(signal);
      if (this.delayMs > 0) await sleep(this.delayMs, undefined, { signal }).catch(() => undefined);
    }
    this.cursor = null;
  }

  /** Reads new entries and passes them to the followers. Returns `more` if the batch was full. */
  private async readBatch(): Promise<'more' | 'idle'> {
    if (this.cursor === null) return 'idle';
    try {
      this.idle.reading();
      const entries = await this.reader.readAfter(this.cursor, BATCH);
      if (entries.length === 0) return 'idle';
      for (const { take } of this.followers) take(entries);
      this.cursor = entries.at(-1)?.cursor ?? this.cursor;
      this.idle.soon();
      return entries.length === BATCH ? 'more' : 'idle';
    } catch (err) {
      this.logger.warn({ err }, 'reading the log failed and will be retried');
      return 'idle';
    }
  }
}
