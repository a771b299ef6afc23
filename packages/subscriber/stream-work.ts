import { Backoff, type BackoffRange } from './backoff.js';
import type { Counts } from './counts.js';
import { type ReceivedEvent, streamOf, type StreamRef } from './envelope.js';
import { EVENT_TYPES } from './events.js';
import { EventUnreadable } from './feed-reads.js';
import { HandlerFailed } from './handler-failed.js';
import { type Handlers, handlerOf } from './handlers.js';
import type { Logger } from './logger.js';
import type { Patience } from './patience.js';
import type { Block, LockedStream, Store } from './store.js';
import { type TrustedEvents, UnreadMessage } from './trusted-events.js';

/** The number of attempts of an event whose handler fails, before its stream is blocked. */
const MAX_TRIES = 5;
/**
 * The backoff between attempts of an event; short, because the next batch of the partition waits
 * meanwhile.
 */
export const RETRY_WAIT: BackoffRange = { firstMs: 50, maxMs: 1_000 };
const MAX_ERROR_CHARS = 4_000;
/**
 * The maximum number of unknown types that are logged. Further types are only counted, because
 * anyone who can write to a topic can invent types.
 */
const MAX_UNKNOWN_TYPES = 100;

/** A run: consecutive events of one stream, of which at most the last has a handler. */
export type Run = readonly [ReceivedEvent, ...ReceivedEvent[]];

/**
 * `flowing`: new messages are handled. `draining`: the stored events of a blocked stream are
 * handled.
 */
type Mode = 'flowing' | 'draining';

/**
 * The result of handling a run. `healed`: the run contains the event that was missing in a gap, so
 * that the stream can continue.
 */
type Outcome = 'done' | 'repeated' | 'kept' | 'blocked' | 'healed';

/** The first stored event after the version of a blocked stream. */
interface NextKept {
  readonly version: number;
  readonly kept: ReceivedEvent;
}

interface StreamWorkOptions<Tx> {
  readonly store: Store<Tx>;
  readonly handlers: Handlers<Tx>;
  readonly counts: Counts;
  readonly logger: Logger;
  readonly patience: Patience;
  readonly trusted: TrustedEvents;
  /** The backoff between the attempts of an event. */
  readonly retryWait: BackoffRange;
}

const errorText = (error: unknown): string => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, MAX_ERROR_CHARS);
};

const lastOf = (run: Run): ReceivedEvent => run.at(-1) ?? run[0];

/** Commits the events of streams one after another, each in a transaction that locks its stream. */
export class StreamWork<Tx> {
  private readonly unknownTypes = new Set<string>();

  constructor(private readonly options: StreamWorkOptions<Tx>) {}

  /**
   * Handles a run. If its stream is blocked, stores the run instead; if the run cannot be handled,
   * blocks the stream.
   */
  async take(run: Run, signal: AbortSignal): Promise<void> {
    const outcome = await this.commit(run, 'flowing', signal);
    if (outcome === 'healed') await this.drain(streamOf(run[0]), signal);
  }

  /**
   * Handles the stored events of a blocked stream in order, until none is left, which unblocks the
   * stream, or until it is blocked again. May run in several processes simultaneously: each event
   * is handled only once.
   */
  async drain(stream: StreamRef, signal: AbortSignal): Promise<void> {
    const { patience } = this.options;
    for (;;) {
      const next = await patience.untilItWorks(() => this.nextKept(stream), signal);
      if (next === null) return;
      const event = await this.following(next, signal);
      if (event instanceof UnreadMessage) return this.keepUnread(event, 'draining', signal);
      if (event === null) await this.release(stream, next.version, signal);
      else if ((await this.commit([event], 'draining', signal)) === 'blocked') return;
    }
  }

  /**
   * Stores a message that the feed cannot confirm, and blocks its stream unless it is already
   * blocked.
   */
  async keepUnread(
    { message, error }: UnreadMessage,
    mode: Mode,
    signal: AbortSignal,
  ): Promise<void> {
    const { patience, store } = this.options;
    const outcome = await patience.untilItWorks(
      () =>
        store.transaction(streamOf(message), async (locked): Promise<Outcome> => {
          const { version, block } = locked.state;
          if (message.sequence <= version) return 'repeated';
          await locked.keep(message);
          if (block !== null && mode === 'flowing') return 'kept';
          return blockAt(locked, feedBlock(version, message, error));
        }),
      signal,
    );
    this.counted([message], outcome, error);
  }

  private async following(
    { version, kept }: NextKept,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | UnreadMessage | null> {
    try {
      return await this.options.trusted.following(version, kept, signal);
    } catch (error) {
      if (error instanceof EventUnreadable) return new UnreadMessage(kept, error);
      throw error;
    }
  }

  /**
   * Deletes the stored event that follows `version`, unless the stream has already passed
   * `version`.
   */
  private async release(stream: StreamRef, version: number, signal: AbortSignal): Promise<void> {
    const { patience, store } = this.options;
    await patience.untilItWorks(
      () =>
        store.transaction(stream, async (locked) => {
          if (locked.state.version === version) await locked.release(version + 1);
        }),
      signal,
    );
  }

  /** The next stored event of a blocked stream; unblocks the stream if none is left. */
  private nextKept(stream: StreamRef): Promise<NextKept | null> {
    return this.options.store.transaction(stream, async (locked) => {
      const { version, block } = locked.state;
      if (block === null) return null;
      const kept = await locked.firstKept(version);
      if (kept !== null) return { version, kept };
      await locked.release(version);
      await locked.save({ version, block: null });
      return null;
    });
  }

  /** Repeats attempts until the run's events are handled, are stored, or block their stream. */
  private async commit(run: Run, mode: Mode, signal: AbortSignal): Promise<Outcome> {
    const { patience, store } = this.options;
    const backoff = new Backoff(this.options.retryWait);
    const transact = (failure?: unknown): Promise<Outcome> =>
      patience.untilItWorks(
        () =>
          store.transaction(streamOf(run[0]), (locked) => this.tryRun(run, locked, mode, failure)),
        signal,
      );
    for (let tries = 1; ; tries += 1) {
      try {
        return this.counted(run, await transact());
      } catch (failure) {
        signal.throwIfAborted();
        const error = failure instanceof HandlerFailed ? failure.cause : failure;
        if (tries === MAX_TRIES) return this.counted(run, await transact(error), error);
        await backoff.wait(signal);
      }
    }
  }

  /**
   * Makes one attempt to handle a run, in a transaction that locks the stream. The attempt is based
   * on the stream's last committed state.
   */
  private async tryRun(
    run: Run,
    locked: LockedStream<Tx>,
    mode: Mode,
    failure: unknown,
  ): Promise<Outcome> {
    const { version, block } = locked.state;
    const fresh = run.filter(({ sequence }) => sequence > version);
    const [first] = fresh;
    if (first === undefined) return 'repeated';
    const isGap = first.sequence !== version + 1;
    if (block !== null && mode === 'flowing' && (isGap || block.reason !== 'gap')) {
      for (const event of fresh) await locked.keep(event);
      return 'kept';
    }
    if (isGap || failure !== undefined) {
      for (const event of fresh) await locked.keep(event);
      const next = isGap ? gapBlock(version, first) : failedBlock(lastOf(run), failure);
      return blockAt(locked, next);
    }
    await this.handle(lastOf(run), locked);
    await locked.save({ version: lastOf(run).sequence, block });
    if (block !== null) await locked.release(lastOf(run).sequence);
    return block === null ? 'done' : 'healed';
  }

  /**
   * Calls the handler. @throws HandlerFailed if the handler rejects while the transaction's
   * connection works. If the connection is lost, throws the store's error, even if the handler
   * threw another error.
   */
  private async handle(event: ReceivedEvent, locked: LockedStream<Tx>): Promise<void> {
    try {
      await handlerOf(this.options.handlers, event.type)?.(event, locked.tx);
    } catch (error) {
      await locked.ping();
      throw new HandlerFailed(error);
    }
  }

  /**
   * Logs each unknown event type once. Otherwise events of a renamed type would be skipped
   * unnoticed.
   */
  private skippedUnknown({ type, streamType }: ReceivedEvent): void {
    const { counts, logger } = this.options;
    counts.unknown += 1;
    if (this.unknownTypes.has(type) || this.unknownTypes.size === MAX_UNKNOWN_TYPES) return;
    this.unknownTypes.add(type);
    const release = 'use the release of this package that fits the orchestrator';
    logger.warn({ type, streamType }, `events of an unknown type are skipped: ${release}`);
  }

  /** Counts the events of a run after its transaction was committed. */
  private counted(run: Run, outcome: Outcome, error?: unknown): Outcome {
    const { counts, logger, handlers } = this.options;
    switch (outcome) {
      case 'done':
      case 'healed': {
        for (const event of run) {
          if (handlerOf(handlers, event.type)) counts.handled += 1;
          else if (EVENT_TYPES.has(event.type)) counts.passed += 1;
          else this.skippedUnknown(event);
        }
        break;
      }
      case 'repeated':
      case 'kept':
        counts[outcome] += run.length;
        break;
      case 'blocked': {
        counts.blocked += 1;
        const { streamType, subject, sequence, type } = lastOf(run);
        const fields = { err: error, streamType, streamId: subject, version: sequence, type };
        logger.error(
          fields,
          error === undefined ? 'a gap blocks the stream' : 'the stream is blocked',
        );
        break;
      }
    }
    return outcome;
  }
}

type NewBlock = Omit<Block, 'times' | 'since'>;

const blockAt = async <Tx>(locked: LockedStream<Tx>, next: NewBlock): Promise<'blocked'> => {
  const { version, block } = locked.state;
  const again =
    block?.version === next.version
      ? { times: block.times + 1, since: block.since }
      : { times: 1, since: new Date().toISOString() };
  await locked.save({ version, block: { ...next, ...again } });
  return 'blocked';
};

const gapBlock = (version: number, first: ReceivedEvent): NewBlock => ({
  version: version + 1,
  reason: 'gap',
  type: null,
  error:
    `the versions from ${version + 1} to ${first.sequence - 1} did not arrive before ` +
    `${first.sequence}`,
});

const feedBlock = (version: number, message: ReceivedEvent, error: EventUnreadable): NewBlock => ({
  version: version + 1,
  reason: 'feed',
  type: message.sequence === version + 1 ? message.type : null,
  error: errorText(error),
});

const failedBlock = (event: ReceivedEvent, failure: unknown): NewBlock => ({
  version: event.sequence,
  reason: 'failed',
  type: event.type,
  error: errorText(failure),
});
