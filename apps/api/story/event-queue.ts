import type { RecordedEvent } from '#log';

/**
 * The maximum number of events waiting for a subscriber. A subscriber that lags further behind is
 * disconnected, and may resume.
 */
export const MAX_WAITING = 1_000;

/** The queue between the log tail, which never waits, and one subscriber. */
export class EventQueue {
  private readonly waiting: RecordedEvent[] = [];
  private ended = false;
  private wake: () => void = () => {};

  /** Takes the next event. After the end none is taken, because the events between are missing. */
  readonly take = (event: RecordedEvent): void => {
    if (this.ended) return;
    if (this.waiting.length >= MAX_WAITING) this.ended = true;
    else this.waiting.push(event);
    this.wake();
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
}
