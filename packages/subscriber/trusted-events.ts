import type { Counts } from './counts.js';
import { divergedAt, type Messages, replacedInLog } from './divergence.js';
import { type ReceivedEvent, streamOf, type StreamRef } from './envelope.js';
import { type Feed, isSameEvent } from './feed.js';
import { EventUnreadable, FeedReads } from './feed-reads.js';
import { ForeignStreams } from './foreign-streams.js';
import type { Logger } from './logger.js';
import type { Patience } from './patience.js';
import type { Block, StreamState } from './store.js';

interface TrustedEventsOptions {
  readonly feed: Feed | null;
  readonly counts: Counts;
  readonly logger: Logger;
  readonly patience: Patience;
}

/**
 * A message that could not be confirmed, because the feed cannot return its event or an earlier
 * event of the stream.
 */
export class UnreadMessage {
  constructor(
    readonly message: ReceivedEvent,
    readonly error: EventUnreadable,
  ) {}
}

/**
 * The events that may be handled. Without a feed these are the received messages. With a feed a
 * message only indicates that there is a new event. The events are then read from the log, in
 * order, including those for which no message arrived.
 */
export class TrustedEvents {
  private readonly reads: FeedReads | null;
  private readonly foreign = new ForeignStreams();

  constructor(private readonly options: TrustedEventsOptions) {
    const { feed, patience } = options;
    this.reads = feed === null ? null : new FeedReads(feed, patience);
  }

  /** The event at which the log differs from what was handled, if the messages show a sign of it. */
  divergedAt(
    state: StreamState,
    messages: Messages,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    return divergedAt(this.reads, state, messages, signal);
  }

  /** The event that the log has instead of the last handled one; null if there is no sign of it. */
  replaced(
    stream: StreamRef,
    state: StreamState,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    return replacedInLog(this.reads, stream, state, signal);
  }

  async *of(
    { version, block }: StreamState,
    messages: readonly ReceivedEvent[],
    signal: AbortSignal,
  ): AsyncGenerator<ReceivedEvent | UnreadMessage> {
    let seen = version;
    let blockedBy = block?.reason ?? null;
    for (const message of messages) {
      if (message.sequence <= seen) {
        this.options.counts.repeated += 1;
        continue;
      }
      try {
        const event = await this.trusted(message, seen, blockedBy, signal);
        if (event === null) continue;
        // The missing events of a blocked stream are read only when the stream is retried.
        if (blockedBy === null) yield* this.between(seen, event, signal);
        yield event;
      } catch (error) {
        if (!(error instanceof EventUnreadable)) throw error;
        yield new UnreadMessage(message, error);
        blockedBy = 'feed';
      }
      seen = message.sequence;
    }
  }

  /**
   * The next event of a blocked stream. `kept` is the first stored event after `version`. With a
   * feed, the next event is read from the log, because a stored message may be forged. Returns null
   * if `kept` directly follows `version` but is not in the log. `isUnread`: the stream is blocked
   * because the feed could not return this event.
   * @throws EventUnreadable
   */
  async following(
    version: number,
    kept: ReceivedEvent,
    isUnread: boolean,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    if (this.reads === null) return kept;
    const maxRefusals = isUnread ? 1 : undefined;
    const next = await this.reads.read(streamOf(kept), version + 1, signal, maxRefusals);
    // If the log lacks the event between `version` and the stored event, the gap remains: the
    // stream stays blocked.
    if (kept.sequence > version + 1) return next ?? kept;
    if (next === null) this.drop(kept, 'unconfirmed');
    return next;
  }

  private async *between(
    seen: number,
    event: ReceivedEvent,
    signal: AbortSignal,
  ): AsyncGenerator<ReceivedEvent> {
    if (this.reads === null) return;
    for (let version = seen + 1; version < event.sequence; version += 1) {
      const missing = await this.reads.read(streamOf(event), version, signal);
      // If the log does not have the event, the stream is blocked at the gap.
      if (missing === null) return;
      yield missing;
    }
  }

  private async trusted(
    message: ReceivedEvent,
    seen: number,
    blockedBy: Block['reason'] | null,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    if (this.reads === null) return message;
    if (seen === 0 && blockedBy === null) return this.confirmedFirst(message, this.reads, signal);
    // One failed read is enough to keep a stream blocked that is already blocked because the feed
    // could not confirm its message.
    const maxRefusals = blockedBy === 'feed' ? 1 : undefined;
    return this.confirmed(message, this.reads, signal, maxRefusals);
  }

  /** The log's event for a message; null if the message is dropped. */
  private async confirmed(
    message: ReceivedEvent,
    reads: FeedReads,
    signal: AbortSignal,
    maxRefusals?: number,
  ): Promise<ReceivedEvent | null> {
    const { sequence } = message;
    const logged = await reads.read(streamOf(message), sequence, signal, maxRefusals);
    if (logged !== null && isSameEvent(message, logged)) return logged;
    this.drop(message, 'unconfirmed');
    return null;
  }

  /**
   * Confirms a message of a stream of which no event has been handled. Every stream of this API key
   * has a version 1, which is read first. Without it, the message belongs to another platform or is
   * forged, and the stream is cached as foreign: later messages are dropped without a read. Only a
   * message of version 1 is always read, because the stream may have begun since.
   */
  private async confirmedFirst(
    message: ReceivedEvent,
    reads: FeedReads,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    const stream = streamOf(message);
    const first =
      message.sequence > 1 && this.foreign.has(stream) ? null : await reads.read(stream, 1, signal);
    if (first === null) {
      this.foreign.add(stream);
      this.drop(message, 'foreign');
      return null;
    }
    this.foreign.delete(stream);
    if (message.sequence === 1 && isSameEvent(message, first)) return first;
    return this.confirmed(message, reads, signal);
  }

  private drop(message: ReceivedEvent, outcome: 'foreign' | 'unconfirmed'): void {
    const { counts, logger } = this.options;
    counts[outcome] += 1;
    const { streamType, subject, sequence, type, id } = message;
    const fields = { streamType, streamId: subject, version: sequence, type, id };
    if (outcome === 'foreign') logger.debug(fields, 'the log has no such stream for this key');
    else logger.warn(fields, 'the log does not have this event: the message is dropped');
  }
}
