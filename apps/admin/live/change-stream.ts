import type { LogEntry } from '#log';

/** An entity with new events. */
export interface Changed {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** The correlation id: the order, merchant or payout of the event. */
  readonly correlationId: string;
}

/**
 * The maximum number of changed entities in a message. If there are more, the page refetches
 * everything.
 */
const MAX_NAMED = 200;
/**
 * The heartbeat interval: less than half of the silence after which the console considers the
 * connection lost.
 */
const HEARTBEAT_MS = 6_000;

const frame = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The change stream of one console page. Changed entities are collected until they are sent, so
 * that a slow client receives the newest version of each entity.
 */
export class ChangeStream {
  private readonly waiting = new Map<string, Changed>();
  private ended = false;
  private wake: () => void = () => {};

  /**
   * `mark` returns a string that changes whenever queues, action requests or reconciliation breaks
   * change, because the event log does not contain these changes. `isLive` returns whether the
   * session is still valid. `visible` returns the changed entities that the user may see.
   */
  constructor(
    private readonly mark: () => Promise<string>,
    private readonly isLive: () => Promise<boolean>,
    private readonly checkEveryMs: number,
    private readonly visible: (changes: readonly Changed[]) => Promise<readonly Changed[]>,
  ) {}

  /** Events of a newer release are reported without being decoded. */
  readonly take = (entries: readonly LogEntry[]): void => {
    for (const { streamType: type, streamId: id, version, metadata } of entries) {
      const { correlationId } = metadata;
      this.waiting.set(`${type} ${id}`, { type, id, version, correlationId });
    }
    this.wake();
  };

  readonly end = (): void => {
    this.ended = true;
    this.wake();
  };

  /** The frames of the stream, which ends with the session, the connection or the process. */
  async *frames(): AsyncGenerator<string, void, undefined> {
    let known = await this.mark();
    // Heartbeats depend only on time. A change that the user may not see also starts a check of the
    // stream. If such checks sent heartbeats, the user could count the changes of other platforms.
    let sentAtMs = performance.now();
    yield 'retry: 2000\n\n';
    while (!this.ended) {
      await this.pause(this.checkEveryMs);
      // The session is checked after the pause, so that nothing is sent to an ended session.
      if (this.ended || !(await this.isLive())) return;
      const changed = await this.taken();
      if (changed !== null) {
        sentAtMs = performance.now();
        yield changed;
      }
      const now = await this.mark();
      if (now !== known) {
        known = now;
        sentAtMs = performance.now();
        yield frame('attention', {});
      }
      if (performance.now() - sentAtMs >= HEARTBEAT_MS) {
        sentAtMs = performance.now();
        // The heartbeat is an event, not a comment, because pages cannot observe comments.
        yield frame('beat', {});
      }
    }
  }

  private async taken(): Promise<string | null> {
    if (this.waiting.size === 0) return null;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    const changes = await this.visible(all);
    if (changes.length === 0) return null;
    return changes.length > MAX_NAMED ? frame('many', {}) : frame('changed', changes);
  }

  private async pause(ms: number): Promise<void> {
    if (this.ended || this.waiting.size > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
