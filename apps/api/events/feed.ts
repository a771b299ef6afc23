import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Idle, type LogCursor, LogReader, type PlatformFilter, Wakes } from '#log';
import { type Logger, LOGGER, Slots } from '#platform';
import { problem } from '../shared/error-codes.js';
import { type Following, HEARTBEAT_MS, type StreamedEvent } from '../story/story.js';

/**
 * The maximum number of open streams of a process, and of a platform. It is small because each
 * stream reads the log itself.
 */
const MAX_OPEN = 200;
const MAX_OF_PLATFORM = 5;
/** The number of events that a stream reads at once. */
const BATCH = 100;
/**
 * The average pause between the reads of a stream while events are committed, and the longest pause
 * of a stream that is not notified, in milliseconds.
 */
const IDLE_MS = { gather: 50, longest: 5_000 };

/** One open stream. */
interface Follower {
  readonly platformId: string;
  readonly filter: PlatformFilter;
  readonly idle: Idle;
  /** Aborted when the client disconnects or the process stops. */
  readonly signal: AbortSignal;
}

/** Follows all events of a platform. */
@Injectable()
export class Feed implements OnModuleDestroy {
  private readonly slots = new Slots(MAX_OPEN, MAX_OF_PLATFORM);
  private readonly open = new Set<AbortController>();

  constructor(
    private readonly reader: LogReader,
    private readonly wakes: Wakes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The events after `since`, each once and in the order of the log; null: only new events. Ends
   * when the process stops. Throws `Problem` 503 when the platform has too many streams.
   */
  async follow(
    platformId: string,
    filter: PlatformFilter,
    since: LogCursor | null,
  ): Promise<Following> {
    const from = since ?? (await this.reader.end());
    if (!this.slots.hasRoom(platformId)) {
      throw problem('too_many_streams', { headers: { 'retry-after': '5' } });
    }
    const stopping = new AbortController();
    const { signal } = stopping;
    const idle = new Idle(IDLE_MS);
    const ends = [this.slots.take(platformId), this.wakes.on('log', () => idle.wake())];
    this.open.add(stopping);
    signal.addEventListener('abort', () => {
      this.open.delete(stopping);
      for (const end of ends) end();
    });
    const events = this.events({ platformId, filter, idle, signal }, from);
    return { events, stop: () => stopping.abort() };
  }

  onModuleDestroy(): void {
    for (const stopping of this.open) stopping.abort();
  }

  private async *events(
    follower: Follower,
    from: LogCursor,
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    const { idle, signal } = follower;
    let [after, sentAtMs] = [from, performance.now()];
    while (!signal.aborted) {
      idle.reading();
      const page = await this.read(follower, after);
      for (const event of page?.events ?? []) {
        if (signal.aborted) return;
        yield event;
        sentAtMs = performance.now();
      }
      after = page?.next ?? after;
      if (performance.now() - sentAtMs >= HEARTBEAT_MS) {
        yield null;
        sentAtMs = performance.now();
      }
      if (page === null || page.isEnd) await idle.wait(signal);
    }
  }

  /** The next events; null if they cannot be read at the moment. */
  private async read({ platformId, filter }: Follower, after: LogCursor) {
    try {
      return await this.reader.readPlatform(platformId, filter, after, BATCH);
    } catch (err) {
      this.logger.warn({ err }, 'reading the events of a platform failed and will be retried');
      return null;
    }
  }
}
