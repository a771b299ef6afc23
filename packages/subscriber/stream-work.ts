import { Backoff, type BackoffRange } from './backoff.js';
import {
  blockAt,
  divergedBlock,
  failedBlock,
  feedBlock,
  gapBlock,
  type NewBlock,
  newerBlock,
} from './blocks.js';
import type { Counts } from './counts.js';
import { MAX_SEQUENCE } from './decode.js';
import { deleteLost, type Messages } from './divergence.js';
import { type ReceivedEvent, streamOf, type StreamRef } from './envelope.js';
import { EVENT_TYPES, SCHEMA_VERSIONS } from './events.js';
import { EventUnreadable } from './feed-reads.js';
import { ConnectionLost, HandlerFailed } from './handler-failed.js';
import { type Handlers, handlerOf } from './handlers.js';
import type { Logger } from './logger.js';
import type { Patience } from './patience.js';
import type { Block, LockedStream, Store, StreamState } from './store.js';
import { type TrustedEvents, UnreadMessage } from './trusted-events.js';

/** The number of attempts of an event whose handler fails, before its stream is blocked. */
const MAX_TRIES = 5;
/**
 * The number of connections that are lost after an event's stream was locked, after which the event
 * itself must be the cause, e.g. because it ends the server's process.
 */
const MAX_LOST_CONNECTIONS = 20;
/**
 * The backoff between attempts of an event; short, because the next batch of the partition waits
 * meanwhile.
 */
export const RETRY_WAIT: BackoffRange = { firstMs: 50, maxMs: 1_000 };
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

type Outcome = 'done' | 'repeated' | 'kept' | 'blocked' | 'stays blocked';

/**
 * The result of a transaction that handles a run. `stays blocked`: the stream was tried again by
 * itself, and what blocked it is not over.
 */
interface Result {
  readonly outcome: Outcome;
  /** The state of the stream after the transaction. */
  readonly state: StreamState;
}

/** The first stored event after the version of a blocked stream. */
interface NextKept {
  readonly state: StreamState;
  readonly kept: ReceivedEvent;
  readonly block: Block;
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

/** Whether the event has a schema version that this release does not know, of a type that it knows. */
const isNewer = ({ type, dataschema }: ReceivedEvent): boolean =>
  Number(dataschema.split(':').at(-1)) > (SCHEMA_VERSIONS.get(type) ?? Infinity);

/**
 * Whether the event that blocked the stream is handled or discarded, so that the stored events can
 * be handled: now, or by the next process if this one stops first.
 */
const hasPassedBlock = ({ version, block }: StreamState): boolean =>
  block !== null && version >= block.version;

/**
 * Whether what blocks the stream may be over without an operator: a release of the orchestrator or
 * of this package that can read the event runs by now.
 */
export const endsByItself = ({ reason }: Pick<Block, 'reason'>): boolean =>
  reason === 'feed' || reason === 'newer';

/**
 * Whether only a discard continues the stream: its handlers may have handled the same payment or
 * refund as an event that is now lost.
 */
const awaitsDiscard = (state: StreamState): boolean =>
  state.block?.reason === 'diverged' && !hasPassedBlock(state);

/** Whether the stored events of a blocked stream should be tried before its next event. */
export const mayContinue = (state: StreamState): boolean =>
  hasPassedBlock(state) || (state.block !== null && endsByItself(state.block));

/**
 * Whether the stream diverged in another process since this one read the next event to drain, which
 * may be lost.
 */
const isOutdated = (mode: Mode, state: StreamState): boolean =>
  mode === 'draining' && awaitsDiscard(state);

const isBlocked = ({ outcome }: Result): boolean =>
  outcome === 'blocked' || outcome === 'stays blocked';

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
    const { state } = await this.commit(run, 'flowing', signal);
    if (hasPassedBlock(state)) await this.drain(streamOf(run[0]), signal);
  }

  /**
   * Handles the stored events of a blocked stream in order, until none is left, which unblocks the
   * stream, or until it is blocked again. May run in several processes simultaneously: each event
   * is handled only once. With a feed, the log may have been restored while the stream was blocked,
   * so the stored events continue only what the log still has.
   */
  async drain(stream: StreamRef, signal: AbortSignal): Promise<void> {
    const { patience, trusted } = this.options;
    for (let isFirst = true; ; isFirst = false) {
      const next = await patience.untilItWorks(() => this.nextKept(stream), signal);
      if (next === null) return;
      const event = await this.following(next, signal);
      if (event instanceof UnreadMessage) return this.keepUnread(event, 'draining', signal);
      const other = isFirst ? await trusted.replaced(stream, next.state, signal) : null;
      if (other !== null) {
        await this.diverge(next.state, other, signal);
        return;
      }
      if (event === null) await this.release(stream, next.state.version, signal);
      else if (isBlocked(await this.commit([event], 'draining', signal))) return;
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
    const result = await patience.untilItWorks(
      () =>
        store.transaction(streamOf(message), async (locked): Promise<Result> => {
          const { state } = locked;
          if (message.sequence <= state.version) return { outcome: 'repeated', state };
          if (isOutdated(mode, state)) return { outcome: 'stays blocked', state };
          await locked.keep(message);
          if (state.block !== null && mode === 'flowing') return { outcome: 'kept', state };
          return this.block(locked, feedBlock(state.version, message, error));
        }),
      signal,
    );
    this.counted([message], result, error);
  }

  /**
   * Blocks a stream whose log no longer has the events that were handled, at the event that the log
   * has instead, and returns its state then. Nothing of the lost history remains stored.
   */
  async diverge(
    known: StreamState,
    event: ReceivedEvent,
    signal: AbortSignal,
  ): Promise<StreamState> {
    const { patience, store } = this.options;
    const state = await patience.untilItWorks(
      () =>
        store.transaction(streamOf(event), async (locked) => {
          const { version, eventId } = locked.state;
          if (version !== known.version || eventId !== known.eventId) return locked.state;
          await locked.release(MAX_SEQUENCE);
          await locked.keep(event);
          const before = { version: event.sequence - 1, eventId: null };
          return blockAt(locked, divergedBlock(event), before);
        }),
      signal,
    );
    if (state.block?.reason === 'diverged') this.counted([event], { outcome: 'blocked', state });
    return state;
  }

  /** Deletes the stored events of a blocked stream that the log, as the messages show it, lost. */
  async deleteLost(messages: Messages, signal: AbortSignal): Promise<void> {
    const { patience, store } = this.options;
    await patience.untilItWorks(
      () => store.transaction(streamOf(messages[0]), (locked) => deleteLost(locked, messages)),
      signal,
    );
  }

  private async following(
    { state: { version }, kept, block }: NextKept,
    signal: AbortSignal,
  ): Promise<ReceivedEvent | UnreadMessage | null> {
    const isUnread = block.reason === 'feed' && block.version === version + 1;
    try {
      return await this.options.trusted.following(version, kept, isUnread, signal);
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
      const { version, eventId, block } = locked.state;
      if (block === null || awaitsDiscard(locked.state)) return null;
      const kept = await locked.firstKept(version);
      if (kept !== null) return { state: locked.state, kept, block };
      await locked.release(version);
      await locked.save({ version, eventId, block: null });
      return null;
    });
  }

  /** Repeats attempts until the run's events are handled, are stored, or block their stream. */
  private async commit(run: Run, mode: Mode, signal: AbortSignal): Promise<Result> {
    const { patience } = this.options;
    const backoff = new Backoff(this.options.retryWait);
    let lost = 0;
    const transact = (failure?: unknown): Promise<Result> =>
      patience.untilItWorks(async () => {
        try {
          return await this.attempt(run, mode, failure);
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error;
          lost += 1;
          throw lost < MAX_LOST_CONNECTIONS ? error : new HandlerFailed(error);
        }
      }, signal);
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
   * Makes one attempt to handle a run, and commits it. @throws ConnectionLost if the connection is
   * lost after the stream was locked: the store worked then. An outage that lasts longer prevents
   * the lock.
   */
  private async attempt(run: Run, mode: Mode, failure: unknown): Promise<Result> {
    let isHandled = false;
    try {
      return await this.options.store.transaction(streamOf(run[0]), async (locked) => {
        const result = await this.tryRun(run, locked, mode, failure);
        isHandled = result.outcome === 'done';
        return result;
      });
    } catch (error) {
      throw isHandled ? this.lostOr(error) : error;
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
  ): Promise<Result> {
    const { version, block } = locked.state;
    const fresh = run.filter(({ sequence }) => sequence > version);
    const [first] = fresh;
    if (first === undefined) return { outcome: 'repeated', state: locked.state };
    if (isOutdated(mode, locked.state)) return { outcome: 'stays blocked', state: locked.state };
    const isGap = first.sequence !== version + 1;
    if (block !== null && mode === 'flowing' && (isGap || block.reason !== 'gap')) {
      for (const event of fresh) await locked.keep(event);
      return { outcome: 'kept', state: locked.state };
    }
    const last = lastOf(run);
    const obstacle = isGap ? gapBlock(version, first) : this.obstacleAt(last, failure);
    if (obstacle !== null) {
      for (const event of fresh) await locked.keep(event);
      return this.block(locked, obstacle);
    }
    await this.handle(last, locked);
    const state = { version: last.sequence, eventId: last.id, block };
    await this.unlessLost(locked.save(state));
    if (block !== null) await locked.release(last.sequence);
    return { outcome: 'done', state };
  }

  private async block(locked: LockedStream<Tx>, next: NewBlock): Promise<Result> {
    const { block } = locked.state;
    const isSame = block?.version === next.version && block.reason === next.reason;
    const state = await blockAt(locked, next);
    return { outcome: isSame && endsByItself(next) ? 'stays blocked' : 'blocked', state };
  }

  /** Why the handler must not be called with the event; null if it is called. */
  private obstacleAt(event: ReceivedEvent, failure: unknown): NewBlock | null {
    // The handler was written for the versions that this release knows.
    if (isNewer(event) && handlerOf(this.options.handlers, event.type)) return newerBlock(event);
    return failure === undefined ? null : failedBlock(event, failure);
  }

  /**
   * Calls the handler. @throws HandlerFailed if the handler rejects while the transaction's
   * connection works, and ConnectionLost if it does not, whatever the handler threw.
   */
  private async handle(event: ReceivedEvent, locked: LockedStream<Tx>): Promise<void> {
    try {
      await handlerOf(this.options.handlers, event.type)?.(event, locked.tx);
    } catch (error) {
      await this.unlessLost(locked.ping());
      throw new HandlerFailed(error);
    }
  }

  private unlessLost(use: Promise<void>): Promise<void> {
    return use.catch((error: unknown) => {
      throw this.lostOr(error);
    });
  }

  private lostOr(error: unknown): unknown {
    return this.options.store.isTransient(error) ? new ConnectionLost(error) : error;
  }

  /**
   * Logs once each event type that is unknown or has an unknown schema version. Otherwise events of
   * a renamed type would be skipped unnoticed.
   */
  private skippedUnknown({ type, streamType, dataschema }: ReceivedEvent): void {
    const { counts, logger } = this.options;
    counts.unknown += 1;
    if (this.unknownTypes.has(type) || this.unknownTypes.size === MAX_UNKNOWN_TYPES) return;
    this.unknownTypes.add(type);
    const release = 'use the release of this package that fits the orchestrator';
    const fields = { type, streamType, dataschema };
    logger.warn(fields, `events of an unknown type or schema version are skipped: ${release}`);
  }

  /** Counts the events of a run after its transaction was committed. */
  private counted(run: Run, result: Result, error?: unknown): Result {
    const { counts, logger, handlers } = this.options;
    const { outcome, state } = result;
    switch (outcome) {
      case 'done': {
        for (const event of run) {
          if (handlerOf(handlers, event.type)) counts.handled += 1;
          else if (EVENT_TYPES.has(event.type) && !isNewer(event)) counts.passed += 1;
          else this.skippedUnknown(event);
        }
        break;
      }
      case 'repeated':
      case 'kept':
        counts[outcome] += run.length;
        break;
      case 'stays blocked':
        break;
      case 'blocked': {
        counts.blocked += 1;
        const { streamType, subject, sequence, type } = lastOf(run);
        const fields = { err: error, streamType, streamId: subject, version: sequence, type };
        const why = error === undefined ? `: ${state.block?.error}` : '';
        logger.error({ ...fields, reason: state.block?.reason }, `the stream is blocked${why}`);
        break;
      }
    }
    return result;
  }
}
