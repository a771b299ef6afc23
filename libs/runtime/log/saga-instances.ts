import { assert, newId as randomId, storableText } from '#kernel';
import { errorKind } from './error-kind.js';
import { type Deferrals, ReactionFailed } from './reaction-failed.js';
import type {
  Reactions,
  Saga,
  SagaContext,
  SagaStep,
  Stimulus,
  StimulusRef,
  WaitingReactions,
} from './saga.js';
import { savedState, stateOf } from './saga-state.js';
import type { SagaWrite } from './step.js';
import type { StepReads } from './step-reads.js';

/**
 * The maximum length of a chain of reactions in which each reaction causes the next, so that no
 * chain is endless.
 */
const MAX_ROUNDS = 32;

/**
 * The wait before the first retry, a second of wall time; each further wait is four times as long.
 */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 4;
const MAX_RETRY_MS = 300_000;
/**
 * The number of attempts, which take about a quarter of an hour. After the last attempt the instance
 * is blocked until an operator retries or discards the reaction.
 */
export const MAX_REACTION_ATTEMPTS = 8;
const MAX_ERROR_CHARS = 4_000;

/**
 * The wait before a failed reaction is retried, in milliseconds; Infinity after the last retry. A
 * reaction that only a newer release can execute is retried forever: it needs a process of that
 * release, not an operator.
 */
const retryAfterMs = (attempts: number, cause: unknown): number =>
  attempts >= MAX_REACTION_ATTEMPTS && errorKind(cause) !== 'newer'
    ? Infinity
    : Math.min(FIRST_RETRY_MS * RETRY_GROWTH ** (attempts - 1), MAX_RETRY_MS);

const errorText = (error: unknown): string =>
  storableText(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    MAX_ERROR_CHARS,
  );

interface Instance {
  readonly saga: Saga;
  readonly key: string;
  readonly version: number;
  /** Whether the state was read for this step, and not taken from the cache. */
  readonly certain: boolean;
  /** The saved state as it was read. A state that this release cannot read is saved unchanged. */
  readonly saved: unknown;
  /** The upcast state; null until the instance reacts in this step. */
  state: { readonly now: unknown } | null;
  done: boolean;
  waiting: WaitingReactions | null;
  /** The queued events and deadlines that this step retries. */
  resumed: WaitingReactions | null;
  /** The wait before the next retry; null: the step does not change the time of the next retry. */
  retryAfterMs: number | null;
  succeeded: number;
  changed: boolean;
}

/** An event or a deadline that is passed to a saga instance. */
export interface Handed {
  readonly ref: StimulusRef;
  /**
   * The round of reactions: 1 for the events that the caller has decided, 2 for the events that
   * sagas decided about them, and so on.
   */
  readonly round: number;
  /**
   * Reads the stored event or deadline, and returns it with the commands that are available to the
   * saga.
   */
  readonly prepare: () => Promise<{ readonly stimulus: Stimulus; readonly commands: SagaStep }>;
}

/**
 * The saga instances of one step, and the events and deadlines to which the instances failed to
 * react.
 */
export class SagaInstances {
  private readonly instances = new Map<string, Instance>();

  constructor(
    private readonly sources: Pick<Reactions, 'clock' | 'newId'>,
    private readonly reads: Pick<StepReads, 'saga'>,
    private readonly deferrals: Deferrals,
  ) {}

  /** Whether the state of any instance was taken from the cache, and not read for this step. */
  get isUncertain(): boolean {
    return [...this.instances.values()].some(({ certain }) => !certain);
  }

  /**
   * Passes an event or a deadline to an instance. If earlier events or deadlines of the instance
   * are queued, the new event or deadline is queued behind them.
   * @throws ReactionFailed; transient infrastructure errors unchanged.
   */
  async take(saga: Saga, key: string, handed: Handed): Promise<void> {
    const instance = await this.instance(saga, key);
    const deferral = this.deferrals.get(`${saga.name} ${key}`);
    const isDeferred = deferral !== null && instance.succeeded >= deferral.succeeded;
    if (instance.waiting !== null || isDeferred) this.keep(instance, handed.ref, deferral);
    else await this.react(instance, handed);
  }

  /**
   * Returns the queued events and deadlines of the instance, which this step retries; empty if
   * there are none.
   */
  async resume(saga: Saga, key: string): Promise<readonly StimulusRef[]> {
    const instance = await this.instance(saga, key);
    const { waiting } = instance;
    if (waiting === null) return [];
    Object.assign(instance, { waiting: null, resumed: waiting, changed: true });
    return waiting.stimuli;
  }

  /**
   * The rows of sagas for the commit, which compares the version of each instance, even if the
   * instance is unchanged.
   */
  writes(): readonly SagaWrite[] {
    return [...this.instances.values()].map((one) => {
      const { saga, key, version: expectedVersion, done, waiting } = one;
      const state =
        one.state === null
          ? (one.saved ?? savedState(saga, saga.initialState))
          : savedState(saga, one.state.now);
      const write = one.changed ? { state, done, waiting, retryAfterMs: one.retryAfterMs } : null;
      return { saga: saga.name, key, expectedVersion, write };
    });
  }

  private async instance(saga: Saga, key: string): Promise<Instance> {
    const name = `${saga.name} ${key}`;
    const known = this.instances.get(name);
    if (known !== undefined) return known;
    const { version, state, done, waiting, certain } = await this.reads.saga(saga.name, key);
    const instance: Instance = {
      saga,
      key,
      version,
      certain,
      saved: state,
      state: null,
      done,
      waiting,
      resumed: null,
      retryAfterMs: null,
      succeeded: 0,
      changed: false,
    };
    this.instances.set(name, instance);
    return instance;
  }

  private async react(instance: Instance, { round, prepare }: Handed): Promise<void> {
    const { saga, key } = instance;
    const { clock, newId = randomId } = this.sources;
    const context: SagaContext = { key, now: clock.now(), newId };
    try {
      const { stimulus, commands } = await prepare();
      assert(round <= MAX_ROUNDS, `reactions end within ${MAX_ROUNDS} rounds`);
      instance.state ??= { now: stateOf(saga, key, instance.saved) };
      const before = instance.state.now;
      const { state, done } = await saga.react(before, stimulus, context, commands);
      instance.changed ||= state !== before || done !== instance.done;
      instance.state = { now: state };
      instance.done = done;
    } catch (error) {
      if (errorKind(error) === 'transient' || error instanceof ReactionFailed) throw error;
      throw new ReactionFailed(`${saga.name} ${key}`, instance.succeeded, error);
    }
    instance.succeeded += 1;
  }

  private keep(instance: Instance, ref: StimulusRef, deferral: ReactionFailed | null): void {
    instance.changed = true;
    if (instance.waiting !== null) {
      const { waiting } = instance;
      instance.waiting = { ...waiting, stimuli: [...waiting.stimuli, ref] };
      return;
    }
    assert(deferral !== null, 'a reaction is queued behind a failed one');
    // Earlier attempts count only for the first retried reaction. The others were queued behind it
    // and have not failed before.
    const before = instance.succeeded === 0 ? (instance.resumed?.attempts ?? 0) : 0;
    const attempts = before + 1;
    instance.waiting = { stimuli: [ref], attempts, error: errorText(deferral.cause) };
    instance.retryAfterMs = retryAfterMs(attempts, deferral.cause);
  }
}
