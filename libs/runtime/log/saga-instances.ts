import { assert, type Clock, newId, storableText } from '#kernel';
import { errorKind } from './error-kind.js';
import { type Deferrals, ReactionFailed } from './reaction-failed.js';
import type {
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

/** How long a chain of reactions to reactions may be: a longer one would never end. */
const MAX_ROUNDS = 32;

/** A first retry comes after a second, each further one four times as late. Wall time. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 4;
const MAX_RETRY_MS = 300_000;
/** Then the instance is blocked until a person retries or discards: about a quarter of an hour. */
export const MAX_REACTION_ATTEMPTS = 8;
const MAX_ERROR_CHARS = 4_000;

/**
 * The wait before a failed reaction is tried again, in milliseconds; Infinity after the last. What
 * only a newer release can do needs its process and not a person: it is tried for as long as it
 * takes.
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
  /** Read just now, not remembered. */
  readonly certain: boolean;
  /** As it was read: what cannot be read is saved again as it is. */
  readonly saved: unknown;
  /** In today's version; null until the instance reacts. */
  state: { readonly now: unknown } | null;
  done: boolean;
  waiting: WaitingReactions | null;
  /** What it waits for has been taken up by this step. */
  resumed: WaitingReactions | null;
  /** When what waits is tried again; null: as it was set before. */
  retryAfterMs: number | null;
  succeeded: number;
  changed: boolean;
}

/** What an instance is handed. */
export interface Handed {
  readonly ref: StimulusRef;
  /** 1 for what a caller has decided, 2 for what follows from that, and so on. */
  readonly round: number;
  /** Reads the stimulus where it was kept, and makes the commands that carry its cause. */
  readonly prepare: () => Promise<{ readonly stimulus: Stimulus; readonly commands: SagaStep }>;
}

/** The instances of sagas that one step involves, and what they could not react to. */
export class SagaInstances {
  private readonly instances = new Map<string, Instance>();

  constructor(
    private readonly clock: Clock,
    private readonly reads: Pick<StepReads, 'saga'>,
    private readonly deferrals: Deferrals,
  ) {}

  /** Whether an instance was only remembered, and not read for this step. */
  get isUncertain(): boolean {
    return [...this.instances.values()].some(({ certain }) => !certain);
  }

  /**
   * Reacts, or keeps the stimulus for a retry behind those that wait already.
   *
   * @throws ReactionFailed; a transient error of the infrastructure as it is.
   */
  async take(saga: Saga, key: string, handed: Handed): Promise<void> {
    const instance = await this.instance(saga, key);
    const deferral = this.deferrals.get(`${saga.name} ${key}`);
    const isDeferred = deferral !== null && instance.succeeded >= deferral.succeeded;
    if (instance.waiting !== null || isDeferred) this.keep(instance, handed.ref, deferral);
    else await this.react(instance, handed);
  }

  /** What the instance waits for, taken up by this step; empty when it waits for nothing. */
  async resume(saga: Saga, key: string): Promise<readonly StimulusRef[]> {
    const instance = await this.instance(saga, key);
    const { waiting } = instance;
    if (waiting === null) return [];
    Object.assign(instance, { waiting: null, resumed: waiting, changed: true });
    return waiting.stimuli;
  }

  /** Each instance is compared by the commit, also where it stays as it was. */
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
    const context: SagaContext = { key, now: this.clock.now(), newId };
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
    assert(deferral !== null, 'what begins to wait has failed');
    // Of what is retried only the first has failed before.
    const before = instance.succeeded === 0 ? (instance.resumed?.attempts ?? 0) : 0;
    const attempts = before + 1;
    instance.waiting = { stimuli: [ref], attempts, error: errorText(deferral.cause) };
    instance.retryAfterMs = retryAfterMs(attempts, deferral.cause);
  }
}
