import { isNewer, type LogEntry, type RecordedEvent } from '#log';
import type { Logger } from '#platform';

/**
 * The maximum number of events waiting for a subscriber. A subscriber that lags further behind is
 * disconnected, and may resume.
 */
export const MAX_WAITING = 1_000;

/**
 * The queue between the log tail, which never waits, and one subscriber of an order or merchant,
 * whose id is the correlation id of its events.
 */
export class EventQueue {
  private readonly waiting: RecordedEvent[] = [];
  private ended = false;
  private wake: () => void = () => {};

  constructor(
    private readonly subjectId: string,
    private readonly logger: Logger,
  ) {}

  readonly take = (entries: readonly LogEntry[]): void => {
    for (const entry of entries) {
      if (entry.metadata.correlationId === this.subjectId) this.add(entry);
    }
  };

  readonly end = (): void => {
    this.ended = true;
    this.wake();
  };

  /** Returns the next event; null when none arrives within `timeoutMs`. */
  async next(timeoutMs: number): Promise<RecordedEvent | null | 'ended'> {
    if (this.waiting.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.waiting.shift() ?? (this.ended ? 'ended' : null);
  }

  /** Adds the next event. After the end none is added, because the events between are missing. */
  private add(entry: LogEntry): void {
    if (this.ended) return;
    if (isNewer(entry)) {
      // The stream ends, so that the client reconnects and can reach a process of the newer release.
      const what =
        'only a newer release can read this event: a stream of its order or merchant ends';
      this.logger.error(entry, what);
      return this.end();
    }
    if (this.waiting.length >= MAX_WAITING) this.ended = true;
    else this.waiting.push(entry);
    this.wake();
  }
}
