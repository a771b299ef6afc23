import type { Consumer } from 'kafkajs';
import type { Logger } from './logger.js';

/**
 * How long the offsets of finished batches are collected before one commit, because each commit
 * costs a round trip and a write at the broker.
 */
const GATHER_MS = 25;
/**
 * How long to wait before a failed commit is retried; the client has already retried the commit
 * before it reports the failure.
 */
const RETRY_MS = 500;

/**
 * Collects the offsets of finished batches for a short time and commits them together. A failed
 * commit is retried; otherwise the group would seem to lag until further messages arrive. If the
 * process ends before a commit, the messages are read again and dropped, because their versions are
 * already handled.
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

  /**
   * Adds an offset to the next commit. Call it when this and all earlier offsets of the partition
   * have been handled.
   */
  done(topic: string, partition: number, offset: string): void {
    const next = (BigInt(offset) + 1n).toString();
    this.waiting.set(`${topic} ${partition}`, { topic, partition, offset: next });
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /**
   * Drops the uncommitted offsets. Call it when partitions were reassigned: any process of the
   * group then reads their uncommitted messages again.
   */
  drop(): void {
    this.waiting.clear();
    this.assignments += 1;
  }

  /** Commits the pending offsets; offsets that arrive after this call are ignored. */
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
      this.logger.debug({ err: error }, 'the offsets could not be committed');
      if (this.ended || assignments !== this.assignments) return;
      for (const [key, one] of pending) if (!this.waiting.has(key)) this.waiting.set(key, one);
      this.timer ??= setTimeout(() => this.flush(), RETRY_MS);
    }
  }
}
