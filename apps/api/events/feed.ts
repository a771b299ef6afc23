import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  Idle,
  LOG_START,
  type LogCursor,
  LogReader,
  type PlatformFilter,
  type PlatformPage,
  type RecordedEvent,
  Wakes,
} from '#log';
import { type Logger, LOGGER, Slots } from '#platform';
import { problem } from '../shared/error-codes.js';
import { type Following, HEARTBEAT_MS, type StreamPosition } from '../story/story.js';

/**
 * The maximum number of open streams of a process, and of a platform. It is small because each
 * stream reads the log itself.
 */
const MAX_OPEN = 200;
const MAX_OF_PLATFORM = 5;
/** The number of events that a stream reads at once. */
const BATCH = 100;
/**
 * How often a stream reads the log, in milliseconds: the average pause between two reads while any
 * platform's events are committed. After a quiet period, `burst` reads may follow one another
 * immediately.
 */
const IDLE_MS = { gather: 250, burst: 4 };

/** What a stream yields: events, and positions while none occurs. */
export type FeedItem = RecordedEvent | StreamPosition;

/** One open stream. */
interface Follower {
  readonly platformId: string;
  readonly filter: PlatformFilter;
  readonly idle: Idle;
  /** Aborted when the client disconnects or the process stops. */
  readonly signal: AbortSignal;
}

/** Reads and follows all events of a platform. */
@Injectable()
export class Feed implements OnModuleDestroy {
  private readonly slots = new Slots(MAX_OPEN, MAX_OF_PLATFORM);
  private readonly open = new Set<AbortController>();
  private isStopping = false;

  constructor(
    private readonly reader: LogReader,
    private readonly wakes: Wakes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * A page of events; without a cursor from the filter's `since`, or else from the start of the log.
   */
  async page(
    platformId: string,
    filter: PlatformFilter,
    cursor: LogCursor | null,
    limit: number,
  ): Promise<PlatformPage> {
    const from = cursor ?? (await this.startOf(platformId, filter));
    return this.reader.readPlatform(platformId, filter, from, limit);
  }

  /**
   * Yields the events after `since`, each once and in log order; if `since` is null, only new
   * events. Ends when the process stops, and before an event that only a newer release can read.
   * Throws `Problem` 503 when the platform has too many streams or the process stops.
   */
  async follow(
    platformId: string,
    filter: PlatformFilter,
    since: LogCursor | null,
  ): Promise<Following<FeedItem>> {
    const from = since ?? (await this.reader.end()).newest;
    if (this.isStopping) throw problem('unavailable');
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
      for (const release of ends) release();
    });
    const events = this.events({ platformId, filter, idle, signal }, from);
    return { events, stop: () => stopping.abort() };
  }

  onModuleDestroy(): void {
    this.isStopping = true;
    for (const stopping of this.open) stopping.abort();
  }

  private async startOf(platformId: string, { since }: PlatformFilter): Promise<LogCursor> {
    return since === undefined ? LOG_START : this.reader.startOf(platformId, since);
  }

  private async *events(follower: Follower, from: LogCursor): Following<FeedItem>['events'] {
    const { idle, signal } = follower;
    yield { after: from };
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
      if (page?.isBlocked === true) {
        // The stream ends, so that the client reconnects and can reach a process of the newer
        // release.
        const { platformId } = follower;
        const what = 'only a newer release can read the next event of a platform: a stream ends';
        this.logger.error({ platformId, after }, what);
        return;
      }
      if (performance.now() - sentAtMs >= HEARTBEAT_MS) {
        yield { after };
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
