import { assert, type Clock, newId } from '#kernel';
import { errorKind } from './error-kind.js';
import type { LoadedSaga } from './step-builder.js';
import type { SagaContext, SagaStep, Saga, Stimulus, StimulusRef, WaitingReactions } from './saga.js';
import type { SagaWrite } from './step.js';

/** A first retry comes after a second, each further one four times as late. Wall time. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 4;
const MAX_RETRY_MS = 300_000;
/** Then the instance is blocked until a person retries or discards: about a quarter of an hour. */
export const MAX_REACTION_ATTEMPTS = 8;
const MAX_ERROR_CHARS = 4_000;

/** The wait before a failed reaction is tried again, in milliseconds; Infinity after the last. */
const retryAfterMs = (attempts: number): number =>
  attempts >= MAX_REACTION_ATTEMPTS
    ? Infinity : Math.min(FIRST_RETRY_MS * RETRY_GROWTH ** (attempts - 1), MAX_RETRY_MS);

const errorText = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .slice(0, MAX_ERROR_CHARS);

/** A saga's instance could not react: the step is decided again without that reaction. */
export class ReactionFailed extends Error {
  override readonly name = 'ReactionFailed';

  constructor(
    /** `<saga> <key>`. */
    readonly instance: string,
    /** How many reactions of the instance had succeeded in the step before. */
    readonly succeeded: number,
    override readonly cause: unknown,
  ) {
    super(`${instance} could not react: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** By instance: after how many reactions the step leaves the rest for a retry, and why. */
export class Deferrals {
  private readonly byInstance = new Map<string, ReactionFailed>();

  /** False when this is known already: deciding again would fail alike. */
  note(failure: ReactionFailed): boolean {
    const known = this.byInstance.get(failure.instance);
    if (known !== undefined && known.succeeded <= failure.succeeded) return false;
    this.byInstance.set(failure.instance, failure);
    return true;
  }

  get(instance: string): ReactionFailed | null {
    return this.byInstance.get(instance) ?? null;
  }
}

/** The sagas of a process and what they need. */
export interface Reactions {
  readonly sagas: readonly Saga[];
  readonly clock: Clock;
}

const NO_REACTIONS: Reactions = {
  sagas: [], clock: { now: () => assert(false, 'without sagas no clock is read') as never },
};

interface Instance {
  readonly saga: Saga;
  readonly key: string;
  readonly version: number;
  /** Read just now, not remembered. */
  readonly certain: boolean;
  state: unknown;
  done: boolean;
  waiting: WaitingReactions | null;
  /** What it waits for has been taken up by this step. */
  resumed: WaitingReactions | null;
  /** When what waits is tried again; null: as it was set before. */
  retryAfterMs: number | null;
  succeeded: number;
  changed: boolean;
}

const refOf = (stimulus: Stimulus): StimulusRef => {
  if (stimulus.from === 'deadline') return stimulus;
  const { streamType, streamId, version } = stimulus.event;
  return { from: 'event', streamType, streamId, version };
};

/** The sagas' side of one step: their instances, and what those could not react to. */
export class StepReactions {
  readonly sagas: readonly Saga[];
  private readonly clock: Clock;
  private readonly instances = new Map<string, Instance>();

  constructor(
    reactions: Reactions | null,
    private readonly load: (saga: string, key: string) => Promise<LoadedSaga>,
    private readonly deferrals: Deferrals,
  ) {
    const { sagas, clock } = reactions ?? NO_REACTIONS;
    this.sagas = sagas;
    this.clock = clock;
  }

  /** Whether an instance was only remembered, and not read for this step. */
  get isUncertain(): boolean {
    return [...this.instances.values()].some(({ certain }) => !certain);
  }

  saga(name: string): Saga {
    const saga = this.sagas.find((one) => one.name === name);
    assert(saga, `the saga '${name}' is known`);
    return saga;
  }

  sagaOfDeadline(kind: string): Saga {
    const saga = this.sagas.find(({ deadlines }) => deadlines.includes(kind));
    assert(saga, `a saga sets deadlines of kind '${kind}'`);
    return saga;
  }

  /**
   * Reacts, or keeps the stimulus for a retry behind those that wait already.
   *
   * @throws ReactionFailed; a transient error of the infrastructure as it is.
   */
  async take(saga: Saga, key: string, stimulus: Stimulus, step: SagaStep): Promise<void> {
    const instance = await this.instance(saga, key);
    const deferral = this.deferrals.get(`${saga.name} ${key}`);
    const isDeferred = deferral !== null && instance.succeeded >= deferral.succeeded;
    if (instance.waiting !== null || isDeferred) this.keep(instance, refOf(stimulus), deferral);
    else await this.react(instance, stimulus, step);
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
      const { saga, key, version: expectedVersion, state, done, waiting } = one;
      const write = one.changed ? { state, done, waiting, retryAfterMs: one.retryAfterMs } : null;
      return { saga: saga.name, key, expectedVersion, write };
    });
  }

  private async instance(saga: Saga, key: string): Promise<Instance> {
    const name = `${saga.name} ${key}`;
    const known = this.instances.get(name);
    if (known !== undefined) return known;
    const { version, state, done, waiting, certain } = await this.load(saga.name, key);
    const instance: Instance = {
      saga, key, version, certain, state: state ?? saga.initialState, done, waiting, resumed: null,
      retryAfterMs: null, succeeded: 0, changed: false,
    };
    this.instances.set(name, instance);
    return instance;
  }

  private async react(instance: Instance, stimulus: Stimulus, step: SagaStep): Promise<void> {
    const { saga, key } = instance;
    const context: SagaContext = { key, now: this.clock.now(), newId };
    try {
      const { state, done } = await saga.react(instance.state, stimulus, context, step);
      instance.changed ||= state !== instance.state || done !== instance.done;
      instance.state = state;
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
    const before = instance.succeeded === 0 ? instance.resumed?.attempts ?? 0 : 0;
    const attempts = before + 1;
    instance.waiting = { stimuli: [ref], attempts, error: errorText(deferral.cause) };
    instance.retryAfterMs = retryAfterMs(attempts);
  }
}
