import type { Consumer } from 'kafkajs';
import type { Logger } from './logger.js';

/** A commit costs a round trip and a write at the broker: batches within this time share one. */
const GATHER_MS = 25;
/** The client has already retried before a commit fails. */
const RETRY_MS = 500;

/**
 * Commits the offsets of finished batches, a little later and together. A commit that fails is
 * retried: without further messages the group would seem to lag for ever. One that is lost with
 * the process means that messages are read again, and dropped by their version.
 */
export class OffsetCommits {
  private waiting = new Map<string, { topic: string; partition: number; offset: string }>();
  private timer: NodeJS.Timeout | null = null;
  private committing: Promise<void> = Promise.resolve();
  private assignments = 0;
  private ended = false;

  constructor(
    private readonly consumer: Pick<Consumer, 'commitOffsets'>,
    private readonly logger: Pick<Logger, 'debug'>,
  ) {}

  /** `offset` and all before it in its partition have been handled. */
  done(topic: string, partition: number, offset: string): void {
    const next = (BigInt(offset) + 1n).toString();
    this.waiting.set(`${topic} ${partition}`, { topic, partition, offset: next });
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Partitions were reassigned: uncommitted messages are read again, here or elsewhere. */
  forget(): void {
    this.waiting.clear();
    this.assignments += 1;
  }

  /** Commits the pending offsets, and nothing later. */
  async end(): Promise<void> {
    this.ended = true;
    this.flush();
    await this.committing;
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.committing = this.committing.then(() => this.commit());
  }

  private async commit(): Promise<void> {
    const pending = this.waiting;
    this.waiting = new Map();
    if (pending.size === 0) return;
    const { assignments } = this;
    try {
      await this.consumer.commitOffsets([...pending.values()]);
    } catch (error) {
      this.logger.debug({ err: error }, 'offsets were not committed');
      if (this.ended || assignments !== this.assignments) return;
      for (const [key, one] of pending) if (!this.waiting.has(key)) this.waiting.set(key, one);
      this.timer ??= setTimeout(() => this.flush(), RETRY_MS);
    }
  }
}
