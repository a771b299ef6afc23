import type { Consumer } from 'kafkajs';
import type { Logger } from '#platform';

/** A commit costs a round trip and a write at the broker: batches within this time share one. */
const GATHER_MS = 25;

/**
 * Commits the offsets of finished batches, a little later and together. One that is lost means
 * that messages come again, and the inbox drops them.
 */
export class OffsetCommits {
  private waiting = new Map<string, { topic: string; partition: number; offset: string }>();
  private timer: NodeJS.Timeout | null = null;
  private committing: Promise<void> = Promise.resolve();

  constructor(
    private readonly consumer: Consumer,
    private readonly logger: Logger,
  ) {}

  /** `offset` and all before it in its partition have been dealt with. */
  done(topic: string, partition: number, offset: string): void {
    const next = (BigInt(offset) + 1n).toString();
    this.waiting.set(`${topic} ${partition}`, { topic, partition, offset: next });
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Commits what waits, and nothing later. */
  async end(): Promise<void> {
    this.flush();
    await this.committing;
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.committing = this.committing.then(() => this.commit());
  }

  private async commit(): Promise<void> {
    const offsets = [...this.waiting.values()];
    this.waiting = new Map();
    if (offsets.length === 0) return;
    try {
      await this.consumer.commitOffsets(offsets);
    } catch (error) {
      // A rebalance came first, or the broker is away: the messages may come again.
      this.logger.debug({ err: error }, 'offsets were not committed');
    }
  }
}
