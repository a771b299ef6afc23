import { LRUCache } from 'lru-cache';
import type { StreamRef } from '#event-store';
import { assert } from '#kernel';
import type { EventMessage } from './cloud-event.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { errorKind } from './error-kind.js';
import { type Inbox, streamKey } from './inbox.js';
import type { ParkedKeys } from './parked-keys.js';
import { Backoff, type Pause } from './pause.js';
import { type Progress, StreamSteps, type StreamStepsOptions } from './stream-steps.js';

/** Streams of one consumer that are worked on at a time: enough to fill a group commit. */
const MAX_STREAMS_AT_ONCE = 16;
const MAX_REMEMBERED = 50_000;
/** How often a message that fails for a doubtful reason is tried before its stream is parked. */
const MAX_TRIES = 3;
/** Other streams wait meanwhile, so it is short. */
const DOUBTFUL_WAIT_MS = { first: 20, widest: 100 };
const PASSING_WAIT_MS = { first: 50, widest: 5_000 };

export interface IntakeOptions extends Omit<StreamStepsOptions, 'onSuccess'> {
  readonly inbox: Pick<Inbox, 'version' | 'versions' | 'parked'>;
  readonly parkedKeys: Pick<ParkedKeys, 'park'>;
  readonly pause?: Pause;
  /** How many streams it remembers; 50 000 unless given. */
  readonly maxRemembered?: number;
}

/** `parked`: what is left waits in the log. `stopped`: the signal came first. */
export type IntakeOutcome = 'done' | 'parked' | 'stopped';

interface Look {
  readonly parked: ReadonlySet<string>;
  readonly versions: ReadonlyMap<string, number>;
}

const NOTHING_TO_LOOK_UP: Look = { parked: new Set(), versions: new Map() };

type Source = (progress: Progress, signal: AbortSignal) => Promise<void>;

/**
 * What a consumer does with messages, wherever they come from: each event's effect is committed
 * exactly once, in the order of its stream. The inbox row of a stream is part of each step, so two
 * processes that get the same message cannot both commit. The topic only says that there is news;
 * the log is the source, and whatever the topic left out is read there.
 */
export class Intake {
  private readonly inbox: IntakeOptions['inbox'];
  private readonly steps: StreamSteps;
  private readonly limit = new ConcurrencyLimit(MAX_STREAMS_AT_ONCE);
  /** By `streamKey`: the version in the inbox when this process had taken the stream last. */
  private readonly taken: LRUCache<string, number>;
  private failing = false;
  private readonly labels: { readonly consumer: string };

  constructor(private readonly options: IntakeOptions) {
    this.inbox = options.inbox;
    this.taken = new LRUCache({ max: options.maxRemembered ?? MAX_REMEMBERED });
    this.steps = new StreamSteps({ ...options, onSuccess: () => this.passed() });
    this.labels = { consumer: options.subscription.name };
  }

  /** Takes messages, each stream's in order and the streams side by side. */
  async take(messages: readonly EventMessage[], signal: AbortSignal): Promise<IntakeOutcome> {
    const byStream = new Map<string, EventMessage[]>();
    for (const message of messages) {
      const key = streamKey(message);
      const known = byStream.get(key);
      if (known) known.push(message);
      else byStream.set(key, [message]);
    }
    const unknown = [...byStream.values()].flatMap(([head]) =>
      head === undefined || this.takenOf(head) !== undefined ? [] : head);
    const look = unknown.length === 0 ? NOTHING_TO_LOOK_UP : await this.lookUp(unknown, signal);
    if (look === null) return 'stopped';
    const outcomes = await Promise.all(
      [...byStream].map(([key, ofStream]) => {
        const [head] = ofStream;
        if (head === undefined || look.parked.has(key)) return 'done';
        const known = this.takenOf(head) ?? look.versions.get(key) ?? 0;
        const fresh = ofStream.filter(({ version }) => version > known);
        this.options.metrics.repeated.inc(this.labels, ofStream.length - fresh.length);
        const source: Source = (progress, stop) => this.steps.takeAll(progress, fresh, stop);
        return fresh.length === 0 ? 'done' : this.advance(head, known, source, signal, true);
      }),
    );
    if (outcomes.includes('stopped')) return 'stopped';
    this.passed();
    return 'done';
  }

  /**
   * What is remembered may be out of date when partitions have moved: another process may have taken
   * more, or parked a stream. Each step compares it; this only spares it the failure.
   */
  forget(): void {
    this.taken.clear();
  }

  private takenOf(head: EventMessage): number | undefined {
    return this.taken.get(streamKey(head));
  }

  private lookUp(heads: readonly EventMessage[], signal: AbortSignal): Promise<Look | null> {
    // Before a stream's first event nothing has been taken, unless it comes again: its step will
    // tell. But it may be parked at that very event.
    const begun = heads.filter(({ version }) => version > 1);
    return this.untilItPasses(signal, async () => ({
      // In this order: what a release took before it let go is in the versions.
      parked: await this.inbox.parked(heads),
      versions: begun.length === 0 ? new Map() : await this.inbox.versions(begun),
    }));
  }

  /** Takes from the log all that the stream has and the inbox does not, also if it is parked. */
  async catchUp(stream: StreamRef, signal: AbortSignal): Promise<IntakeOutcome> {
    const version = await this.untilItPasses(signal, () => this.inbox.version(stream));
    if (version === null) return 'stopped';
    const source: Source = (progress, stop) => this.steps.takeLog(progress, stop);
    return this.advance(stream, version, source, signal, false);
  }

  /** As `catchUp`, but leaves a parked stream alone. */
  async catchUpUnlessParked(stream: StreamRef, signal: AbortSignal): Promise<IntakeOutcome> {
    const parked = await this.untilItPasses(signal, () => this.inbox.parked([stream]));
    if (parked === null) return 'stopped';
    return parked.has(streamKey(stream)) ? 'done' : this.catchUp(stream, signal);
  }

  private advance(
    { streamType, streamId }: StreamRef, version: number, source: Source, signal: AbortSignal,
    remembers: boolean,
  ): Promise<IntakeOutcome> {
    const stream = { streamType, streamId };
    const progress: Progress = { stream, taken: version, seen: version, current: null, tries: 0 };
    // A stream that may be parked is looked up each time: its row is what a release goes by.
    this.taken.delete(streamKey(stream));
    return this.limit.run(async () => {
      const outcome = await this.drive(progress, source, signal);
      if (outcome === 'done' && remembers) this.taken.set(streamKey(stream), progress.taken);
      return outcome;
    });
  }

  /** Runs the source to its end, through conflicts and outages; parks what cannot be taken. */
  private async drive(
    progress: Progress, source: Source, signal: AbortSignal,
  ): Promise<IntakeOutcome> {
    const passing = this.backoff(PASSING_WAIT_MS);
    const doubtful = this.backoff(DOUBTFUL_WAIT_MS);
    while (!signal.aborted) {
      try {
        await source(progress, signal);
        return signal.aborted ? 'stopped' : 'done';
      } catch (error) {
        const next = await this.untilItPasses(signal, () => this.judge(progress, error));
        if (next === 'parked') return next;
        if (next === 'later') await passing.wait(signal);
        if (next === 'soon') await doubtful.wait(signal);
      }
    }
    return 'stopped';
  }

  /** What to do after a failed step; begins by looking at what has really been committed. */
  private async judge(
    progress: Progress, error: unknown,
  ): Promise<'now' | 'soon' | 'later' | 'parked'> {
    const version = await this.inbox.version(progress.stream);
    const moved = version > progress.taken;
    progress.taken = version;
    progress.seen = version;
    if (moved) {
      // Another process was faster, or our step was committed and its answer lost.
      progress.tries = 0;
      return 'now';
    }
    const kind = errorKind(error);
    const { logger } = this.options;
    if (kind === 'passing') {
      this.outage(error);
      return 'later';
    }
    progress.tries += kind === 'final' ? MAX_TRIES : 1;
    if (progress.tries < MAX_TRIES) return 'soon';
    assert(progress.current !== null, 'a step fails at a message');
    const { streamId, type, version: failedAt } = progress.current;
    const isParked =
      await this.options.parkedKeys.park(this.labels.consumer, progress.current, version, error);
    // Another process has got past it meanwhile: what is left is still ours to take.
    if (!isParked) return 'now';
    this.options.metrics.parked.inc(this.labels);
    logger.error({ err: error, ...this.labels, streamId, type, version: failedAt }, 'key parked');
    return 'parked';
  }

  /** Tries until it works; `null` when the signal comes first. */
  private async untilItPasses<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const backoff = this.backoff(PASSING_WAIT_MS);
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        this.outage(error);
        await backoff.wait(signal);
      }
    }
    return null;
  }

  private backoff({ first, widest }: { readonly first: number; readonly widest: number }): Backoff {
    return new Backoff(first, widest, this.options.pause);
  }

  /** One line when an outage begins and one when it is over. */
  private outage(error: unknown): void {
    if (!this.failing) {
      this.options.logger.error({ err: error, ...this.labels }, 'steps fail and are tried again');
    }
    this.failing = true;
  }

  private passed(): void {
    if (this.failing) this.options.logger.info(this.labels, 'steps work again');
    this.failing = false;
  }
}
