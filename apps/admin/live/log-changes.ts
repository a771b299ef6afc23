import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Idle, isNewer, type LogCursor, LogReader, Wakes } from '#log';
import { type Logger, LOGGER } from '#platform';

/** An entity that has gone on. */
export interface Changed {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** The order, merchant or payout that it happened for. */
  readonly correlationId: string;
}

export interface ChangeFollower {
  readonly take: (changes: readonly Changed[]) => void;
  /** The process stops: the follower may come back elsewhere. */
  readonly end: () => void;
}

/**
 * People see no difference, a burst is told at once, and the lists have taken it in before a page
 * reads them again.
 */
const TOLD_AFTER_MS = 200;
const RETRY_MS = 1_000;
const BATCH = 1_000;

/** The end of the log, read once for all who follow it, and only while somebody does. */
@Injectable()
export class LogChanges implements OnModuleDestroy {
  private readonly followers = new Set<ChangeFollower>();
  private running = false;
  private readonly stopping = new AbortController();
  private readonly idle = new Idle();

  constructor(
    private readonly reader: LogReader,
    wakes: Wakes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    wakes.on('log', () => this.idle.wake());
  }

  /** Answers how to end it. What happens from now on is told. */
  follow(follower: ChangeFollower): () => void {
    this.followers.add(follower);
    if (!this.running) void this.run();
    return () => this.followers.delete(follower);
  }

  onModuleDestroy(): void {
    this.stopping.abort();
    for (const { end } of this.followers) end();
    this.followers.clear();
  }

  private async run(): Promise<void> {
    this.running = true;
    let cursor: LogCursor | null = null;
    const { signal } = this.stopping;
    while (!signal.aborted && this.followers.size > 0) {
      try {
        this.idle.reading();
        cursor = cursor === null ? await this.reader.end() : await this.look(cursor);
        await this.idle.wait(signal);
        await sleep(TOLD_AFTER_MS);
      } catch (err) {
        this.logger.warn({ err }, 'the log cannot be read now');
        await sleep(RETRY_MS);
      }
    }
    this.running = false;
  }

  /** Tells what is new, each entity once; answers where to look next. */
  private async look(cursor: LogCursor): Promise<LogCursor> {
    const entries = await this.reader.readAfter(cursor, BATCH);
    const changed = new Map<string, Changed>();
    // That something has changed is true also of what only a newer release can read.
    for (const entry of entries) {
      const { streamType, streamId, version } = entry;
      const { correlationId } = isNewer(entry) ? entry : entry.metadata;
      changed.set(`${streamType} ${streamId}`, {
        type: streamType,
        id: streamId,
        version,
        correlationId,
      });
    }
    if (changed.size > 0) for (const { take } of this.followers) take([...changed.values()]);
    return entries.at(-1)?.cursor ?? cursor;
  }
}
