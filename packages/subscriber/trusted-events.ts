import type { Counts } from './counts.js';
import { type ReceivedEvent, streamOf } from './envelope.js';
import { type Feed, isSameEvent } from './feed.js';
import type { Logger } from './logger.js';
import type { Patience } from './patience.js';
import type { StreamState } from './store.js';

interface TrustedEventsOptions {
  readonly feed: Feed | null;
  readonly counts: Counts;
  readonly logger: Logger;
  readonly patience: Patience;
}

/**
 * The events that may move a stream. Without a feed those are the messages as they came. With one a
 * message only says which event is new: what is handed on was read from the log, in order, with all
 * that the topic left out.
 */
export class TrustedEvents {
  constructor(private readonly options: TrustedEventsOptions) {}

  async *of(
    { version, block }: StreamState, messages: readonly ReceivedEvent[], signal: AbortSignal,
  ): AsyncGenerator<ReceivedEvent> {
    let seen = version;
    for (const message of messages) {
      if (message.sequence <= seen) {
        this.options.counts.repeated += 1;
        continue;
      }
      const event = await this.confirmed(message, signal);
      if (event === null) continue;
      // What a blocked stream lacks is read when it goes on.
      if (block === null) yield* this.between(seen, event, signal);
      yield event;
      seen = event.sequence;
    }
  }

  /** One event of the log; null where there is no feed to read it from, or it has none. */
  async logged(
    near: ReceivedEvent, version: number, signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    const { feed, patience } = this.options;
    if (feed === null) return null;
    return patience.untilItWorks(() => feed.read(streamOf(near), version, signal), signal);
  }

  private async *between(
    seen: number, event: ReceivedEvent, signal: AbortSignal,
  ): AsyncGenerator<ReceivedEvent> {
    for (let version = seen + 1; version < event.sequence; version += 1) {
      const missing = await this.logged(event, version, signal);
      // Then the gap stays, and blocks the stream.
      if (missing === null) return;
      yield missing;
    }
  }

  private async confirmed(
    message: ReceivedEvent, signal: AbortSignal,
  ): Promise<ReceivedEvent | null> {
    const { feed, counts, logger } = this.options;
    if (feed === null) return message;
    const logged = await this.logged(message, message.sequence, signal);
    if (logged !== null && isSameEvent(message, logged)) return logged;
    counts.unconfirmed += 1;
    const { streamType, subject, sequence, type, id } = message;
    const fields = { streamType, streamId: subject, version: sequence, type, id };
    logger.warn(fields, 'the log does not have this event: the message is dropped');
    return null;
  }
}
