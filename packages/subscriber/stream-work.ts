import { Backoff } from './backoff.js';
import type { Counts } from './counts.js';
import { type ReceivedEvent, streamOf, type StreamRef } from './envelope.js';
import { HandlerFailed } from './handler-failed.js';
import { type Handlers, handlerOf } from './handlers.js';
import type { Logger } from './logger.js';
import type { Patience } from './patience.js';
import type { Block, LockedStream, Store } from './store.js';
import type { TrustedEvents } from './trusted-events.js';

/** How often an event is tried whose handler fails before its stream is blocked. */
const MAX_TRIES = 5;
/** The next batch of the partition waits meanwhile, so it is short. */
const RETRY_WAIT = { firstMs: 50, maxMs: 1_000 };
const MAX_ERROR_CHARS = 4_000;

/** Consecutive events of one stream, of which at most the last has a handler. */
export type Run = readonly [ReceivedEvent, ...ReceivedEvent[]];

/** `healed`: the event that a gap had waited for. */
type Outcome = 'done' | 'repeated' | 'kept' | 'blocked' | 'healed';

interface StreamWorkOptions<Tx> {
  readonly store: Store<Tx>;
  readonly handlers: Handlers<Tx>;
  readonly counts: Counts;
  readonly logger: Logger;
  readonly patience: Patience;
  readonly trusted: TrustedEvents;
}

const errorText = (error: unknown): string => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, MAX_ERROR_CHARS);
};

const lastOf = (run: Run): ReceivedEvent => run.at(-1) ?? run[0];

/** Commits the events of streams one after another, each in a transaction that locks its stream. */
export class StreamWork<Tx> {
  constructor(private readonly options: StreamWorkOptions<Tx>) {}

  /** Handles a run, or keeps it where its stream is blocked, or blocks the stream. */
  async take(run: Run, signal: AbortSignal): Promise<void> {
    const outcome = await this.commit(run, 'flowing', signal);
    if (outcome === 'healed') await this.drain(streamOf(run[0]), signal);
  }

  /**
   * Handles what a blocked stream has kept, in order, until nothing is left, which unblocks it, or
   * until it is blocked again. May run in several processes at once: each event is handled once.
   */
  async drain(stream: StreamRef, signal: AbortSignal): Promise<void> {
    const { patience, trusted } = this.options;
    for (;;) {
      const next = await patience.untilItWorks(() => this.nextKept(stream), signal);
      if (next === null) return;
      const { version, kept } = next;
      const missing = kept.sequence > version + 1
        ? await trusted.logged(kept, version + 1, signal) : null;
      const outcome = await this.commit([missing ?? kept], 'draining', signal);
      if (outcome === 'blocked') return;
    }
  }

  /** What a blocked stream has to handle next; unblocks it where nothing is left. */
  private nextKept(
    stream: StreamRef,
  ): Promise<{ readonly version: number; readonly kept: ReceivedEvent } | null> {
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

  /** Tries until it is known what becomes of the run. */
  private async commit(
    run: Run, mode: 'flowing' | 'draining', signal: AbortSignal,
  ): Promise<Outcome> {
    const { patience, store } = this.options;
    const backoff = new Backoff(RETRY_WAIT);
    const transact = (failure?: unknown): Promise<Outcome> =>
      patience.untilItWorks(() => store.transaction(streamOf(run[0]), (locked) =>
        this.tryRun(run, locked, mode, failure)), signal);
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

  /** One try, under the lock: the state is what any process committed last. */
  private async tryRun(
    run: Run, locked: LockedStream<Tx>, mode: 'flowing' | 'draining', failure: unknown,
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
      const again = block?.version === next.version
        ? { times: block.times + 1, since: block.since }
        : { times: 1, since: new Date().toISOString() };
      await locked.save({ version, block: { ...next, ...again } });
      return 'blocked';
    }
    await this.handle(lastOf(run), locked);
    await locked.save({ version: lastOf(run).sequence, block });
    if (block !== null) await locked.release(lastOf(run).sequence);
    return block === null ? 'done' : 'healed';
  }

  /**
   * @throws HandlerFailed when the handler rejects while the transaction's connection works. Where
   * the connection is lost, the error of the store is thrown, whatever the handler made of it.
   */
  private async handle(event: ReceivedEvent, locked: LockedStream<Tx>): Promise<void> {
    try {
      await handlerOf(this.options.handlers, event.type)?.(event, locked.tx);
    } catch (error) {
      await locked.ping();
      throw new HandlerFailed(error);
    }
  }

  /** Counts what was committed, and only then. */
  private counted(run: Run, outcome: Outcome, error?: unknown): Outcome {
    const { counts, logger, handlers } = this.options;
    const last = lastOf(run);
    switch (outcome) {
      case 'done':
      case 'healed': {
        const handled = handlerOf(handlers, last.type) === undefined ? 0 : 1;
        counts.handled += handled;
        counts.passed += run.length - handled;
        break;
      }
      case 'repeated':
      case 'kept':
        counts[outcome] += run.length;
        break;
      case 'blocked': {
        counts.blocked += 1;
        const { streamType, subject, sequence, type } = last;
        const fields = { err: error, streamType, streamId: subject, version: sequence, type };
        logger.error(fields, error === undefined ? 'a gap blocks the stream' : 'the stream is blocked');
        break;
      }
    }
    return outcome;
  }
}

const gapBlock = (version: number, first: ReceivedEvent): Omit<Block, 'times' | 'since'> => ({
  version: version + 1,
  reason: 'gap',
  type: null,
  error: `the versions from ${version + 1} to ${first.sequence - 1} did not come before ` +
    `${first.sequence}`,
});

const failedBlock = (event: ReceivedEvent, failure: unknown): Omit<Block, 'times' | 'since'> => ({
  version: event.sequence,
  reason: 'failed',
  type: event.type,
  error: errorText(failure),
});
