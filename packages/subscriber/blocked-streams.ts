import type { StreamRef } from './envelope.js';
import type { Patience } from './patience.js';
import type { BlockedStream, Store } from './store.js';
import { endsByItself, type StreamWork } from './stream-work.js';

/**
 * Thrown when the stream is not blocked, or is no longer blocked at the version that the caller
 * named.
 */
export class NotBlocked extends Error {
  override readonly name = 'NotBlocked';

  constructor({ streamType, streamId }: StreamRef, version: number) {
    super(`${streamType} ${streamId} is not blocked at version ${version}: nothing was discarded`);
  }
}

/** Identifies a blocked stream and the version that blocks it. */
export type BlockedAt = Pick<BlockedStream, 'streamType' | 'streamId' | 'version'>;

/** The blocked streams, and their repair by an operator. */
export class BlockedStreams<Tx> {
  constructor(
    private readonly store: Store<Tx>,
    private readonly work: StreamWork<Tx>,
    private readonly patience: Patience,
  ) {}

  list(): Promise<readonly BlockedStream[]> {
    return this.store.blocked();
  }

  /**
   * Handles the stored events of the stream in order; those of a diverged stream only after a
   * discard. Returns null if the stream is then unblocked,
   * or where and why it is blocked again.
   */
  async retry(stream: StreamRef, signal: AbortSignal): Promise<BlockedStream | null> {
    const { streamType, streamId } = stream;
    await this.work.drain({ streamType, streamId }, signal);
    const [state] = (await this.store.read([stream])).values();
    const block = state?.block ?? null;
    return block === null ? null : { streamType, streamId, ...block };
  }

  /**
   * Tries the stored events of each stream whose block may be over without an operator. A stream
   * without further events would otherwise stay blocked after an upgrade.
   */
  async resume(signal: AbortSignal): Promise<void> {
    for (const stream of await this.store.blocked()) {
      if (endsByItself(stream)) await this.work.drain(stream, signal);
    }
  }

  /**
   * Discards the event that blocks the stream, or the missing versions, without calling a handler;
   * records the discard and its reason in the same transaction; then continues with `retry`.
   * @throws NotBlocked if the stream is not, or no longer, blocked at this version.
   */
  async discard(at: BlockedAt, reason: string, signal: AbortSignal): Promise<BlockedStream | null> {
    const { streamType, streamId } = at;
    const stream = { streamType, streamId };
    await this.patience.untilItWorks(() => this.passOver(stream, at.version, reason), signal);
    return this.retry(stream, signal);
  }

  private passOver(stream: StreamRef, version: number, reason: string): Promise<void> {
    return this.store.transaction(stream, async (locked) => {
      const { version: reached, block } = locked.state;
      if (block === null || block.version !== version || reached >= version) {
        throw new NotBlocked(stream, version);
      }
      const kept = await locked.firstKept(version - 1);
      const upTo = block.reason === 'gap' && kept !== null ? kept.sequence - 1 : version;
      const event = kept?.sequence === version ? kept : null;
      await locked.record({ ...stream, version: upTo, event, error: block.error, reason });
      await locked.release(upTo);
      await locked.save({ version: upTo, eventId: event?.id ?? null, block });
    });
  }
}
