import type { Consumer } from 'kafkajs';
import type { Logger } from '#platform';

/** A commit costs a round trip and a write at the broker: batches within this time share one. */
const GATHER_MS = 25;
/** The client has tried for a while itself before it gives a commit up. */
const AGAIN_MS = 500;

/**
 * Commits the offsets of finished batches, a little later and together. A commit that fails is made
 * again: where no message follows, the group would seem to lag for ever. One that is lost with the
 * process means that messages come again, and the inbox drops them.
 */
export class OffsetCommits {
  private waiting = new Map<string, { topic: string; partition: number; offset: string }>();
  private timer: NodeJS.Timeout | null = null;
  private committing: Promise<void> = Promise.resolve();
  private sharings = 0;
  private ended = false;

  constructor(
    private readonly consumer: Pick<Consumer, 'commitOffsets'>,
    private readonly logger: Logger,
  ) {}

  /** `offset` and all before it in its partition have been dealt with. */
  done(topic: string, partition: number, offset: string): void {
    const next = (BigInt(offset) + 1n).toString();
    this.waiting.set(`${topic} ${partition}`, { topic, partition, offset: next });
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Partitions were shared out anew: what was not committed comes again, here or elsewhere. */
  forget(): void {
    this.waiting.clear();
    this.sharings += 1;
  }

  /** Commits what waits, and nothing later. */
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
    const under = this.waiting;
    this.waiting = new Map();
    if (under.size === 0) return;
    const { sharings } = this;
    try {
      await this.consumer.commitOffsets([...under.values()]);
    } catch (error) {
      this.logger.debug({ err: error }, 'offsets were not committed');
      if (this.ended || sharings !== this.sharings) return;
      for (const [key, one] of under) if (!this.waiting.has(key)) this.waiting.set(key, one);
      this.timer ??= setTimeout(() => this.flush(), AGAIN_MS);
    }
  }
}
