import { MAX_SEQUENCE } from './decode.js';
import type { ReceivedEvent, StreamRef, StreamType } from './envelope.js';
import { type Feed, FeedUnavailable } from './feed.js';
import type { Patience } from './patience.js';

/**
 * The number of consecutive failures at an event, while other reads succeed, after which the event
 * counts as unreadable.
 */
const MAX_REFUSALS = 8;

/** Thrown when the feed cannot return this event, although it returns other events. */
export class EventUnreadable extends Error {
  override readonly name = 'EventUnreadable';
}

interface Place {
  readonly stream: StreamRef;
  readonly version: number;
}

/**
 * Reads events from the feed, and waits while the feed is unavailable. After a failed read, a
 * different event is read. If that read succeeds, only the event of the failed read is unreadable;
 * otherwise the feed is unavailable.
 */
export class FeedReads {
  /**
   * The last event that was read successfully, for each stream type, because the API key may have
   * the scopes of only some types.
   */
  private readonly lastFound = new Map<StreamType, Place>();

  constructor(
    private readonly feed: Feed,
    private readonly patience: Patience,
  ) {}

  /** @throws EventUnreadable */
  read(
    stream: StreamRef,
    version: number,
    signal: AbortSignal,
    maxRefusals = MAX_REFUSALS,
  ): Promise<ReceivedEvent | null> {
    let refusals = 0;
    return this.patience.untilItWorks(async () => {
      try {
        const event = await this.feed.read(stream, version, signal);
        if (event !== null) this.lastFound.set(stream.streamType, { stream, version });
        return event;
      } catch (error) {
        if (!(error instanceof FeedUnavailable)) throw error;
        refusals = (await this.answersAnother(stream, signal)) ? refusals + 1 : 0;
        if (refusals < maxRefusals) throw error;
        throw new EventUnreadable(
          `the feed returns other events, but not version ${version}: ${error.message}`,
          { cause: error },
        );
      }
    }, signal);
  }

  /**
   * Whether the feed returns a different event: the last event that was read successfully, or else
   * a different version of this stream.
   */
  private async answersAnother(stream: StreamRef, signal: AbortSignal): Promise<boolean> {
    const found = this.lastFound.get(stream.streamType);
    const other =
      found === undefined || found.stream.streamId === stream.streamId
        ? { stream, version: MAX_SEQUENCE }
        : found;
    try {
      await this.feed.read(other.stream, other.version, signal);
      return true;
    } catch (error) {
      if (error instanceof FeedUnavailable) return false;
      throw error;
    }
  }
}
