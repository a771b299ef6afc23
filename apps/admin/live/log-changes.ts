import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Idle, type LogCursor, LogReader, Wakes } from '#log';
import { type Logger, LOGGER } from '#platform';

/** An entity with new events. */
export interface Changed {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** The correlation id: the order, merchant or payout of the event. */
  readonly correlationId: string;
}

export interface ChangeFollower {
  readonly take: (changes: readonly Changed[]) => void;
  /** Called when the process stops, so that the client can reconnect elsewhere. */
  readonly end: () => void;
}

/**
 * The delay of a notification, too short for users to notice. During the delay, a burst of changes
 * is combined into one notification, and the read models are updated.
 */
const NOTIFY_AFTER_MS = 200;
const RETRY_MS = 1_000;
const BATCH = 1_000;

/**
 * Polls the end of the event log with one query for all followers, and only while there are
 * followers.
 */
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

  /** Reports changes from now on. @returns a function that ends the reports */
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
        cursor = cursor === null ? (await this.reader.end()).newest : await this.readBatch(cursor);
        await this.idle.wait(signal);
        await sleep(NOTIFY_AFTER_MS);
      } catch (err) {
        this.logger.warn({ err }, 'the event log cannot be read now');
        await sleep(RETRY_MS);
      }
    }
    this.running = false;
  }

  /** Reports each changed entity of a batch once. @returns the next log position */
  private async readBatch(cursor: LogCursor): Promise<LogCursor> {
    const entries = await this.reader.readAfter(cursor, BATCH);
    const changed = new Map<string, Changed>();
    // Events of a newer release are reported without being decoded.
    for (const entry of entries) {
      const { streamType, streamId, version } = entry;
      const { correlationId } = entry.metadata;
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
