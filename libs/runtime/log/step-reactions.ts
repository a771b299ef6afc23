import { assert } from '#kernel';
import type { Deferrals } from './reaction-failed.js';
import { SagaInstances } from './saga-instances.js';
import type { ReactedEvent, Reactions, Saga, SagaStep, StimulusRef } from './saga.js';
import type { DueDeadline, SagaWrite } from './step.js';
import type { StepReads } from './step-reads.js';
import { type EventMetadata, untraced } from './stream.js';
import { WrittenByNewerRelease } from './upcast.js';

const NO_REACTIONS: Reactions = {
  sagas: [],
  clock: { now: () => assert(false, 'an event store without sagas reads no clock') as never },
};

/** The events that were not passed to the sagas yet. */
type Pending = { readonly round: number } & (
  | { readonly from: 'event'; readonly event: ReactedEvent }
  | { readonly from: 'deadline'; readonly deadline: DueDeadline }
);

const metadataAfter = (saga: Saga, { eventId, metadata }: ReactedEvent): EventMetadata => ({
  correlationId: metadata.correlationId,
  causationId: eventId,
  actor: `saga:${saga.name}`,
  traceparent: metadata.traceparent,
});

const deadlineMetadata = (saga: Saga, { kind, key, dueAt }: DueDeadline): EventMetadata =>
  untraced(key, `${kind} ${dueAt}`, `saga:${saga.name}`);

type EventStimulus = StimulusRef & { readonly from: 'event' };

/** An event of the step, and its position. */
interface Kept {
  readonly ref: StimulusRef;
  readonly read: () => Promise<ReactedEvent>;
}

/** Returns the commands that a saga may use; their events have this metadata. */
type CommandsAs = (metadata: EventMetadata) => SagaStep;

/** Passes the events of a step to the sagas in order, and then the resulting events. */
export class StepReactions {
  private readonly sagas: readonly Saga[];
  private readonly instances: SagaInstances;
  private readonly pending: Pending[] = [];
  private round = 1;

  constructor(
    reactions: Reactions | null,
    private readonly reads: StepReads,
    deferrals: Deferrals,
    private readonly commandsAs: CommandsAs,
  ) {
    const known = reactions ?? NO_REACTIONS;
    this.sagas = known.sagas;
    this.instances = new SagaInstances(known, reads, deferrals);
  }

  /** Whether any saga instance was taken from the cache, and not read for this step. */
  get isUncertain(): boolean {
    return this.instances.isUncertain;
  }

  /** Whether all events have been passed to the sagas. */
  get isDone(): boolean {
    return this.pending.length === 0;
  }

  decided(event: ReactedEvent): void {
    this.pending.push({ from: 'event', event, round: this.round });
  }

  fired(deadline: DueDeadline): void {
    this.pending.push({ from: 'deadline', deadline, round: this.round });
  }

  /**
   * Passes events to the sagas, and then the events that result, until no event is left. @throws
   * ReactionFailed, and transient errors as they are.
   */
  async run(): Promise<void> {
    for (let next = this.pending.shift(); next; next = this.pending.shift()) {
      this.round = next.round + 1;
      if (next.from === 'event') await this.handOn(next.event, next.round);
      else await this.handDeadline(next.deadline, next.round);
    }
    this.round = 1;
  }

  /**
   * Passes the queued events and deadlines to an instance again, in their order. A deadline is
   * skipped if the reaction to an earlier entry of the queue has rescheduled or removed it.
   */
  async retry(
    sagaName: string,
    key: string,
    isChanged: (deadline: DueDeadline) => boolean,
  ): Promise<void> {
    const saga = this.sagas.find(({ name }) => name === sagaName);
    assert(saga, `the saga '${sagaName}' is known`);
    this.round = 2;
    for (const ref of await this.instances.resume(saga, key)) {
      if (ref.from === 'event') {
        await this.handEvent(saga, key, { ref, read: () => this.keptEvent(saga, key, ref) }, 1);
      } else if (!isChanged({ ...ref, key })) await this.handDeadline({ ...ref, key }, 1);
    }
    this.round = 1;
  }

  writes(): readonly SagaWrite[] {
    return this.instances.writes();
  }

  private async handOn(event: ReactedEvent, round: number): Promise<void> {
    const { streamType, streamId, version } = event;
    const ref = { from: 'event', streamType, streamId, version } as const;
    for (const saga of this.sagas) {
      const key = saga.keyOf(event);
      if (key === null) continue;
      await this.handEvent(saga, key, { ref, read: () => Promise.resolve(event) }, round);
    }
  }

  /**
   * An event to which this release of the saga does not react stays queued, because a newer release
   * of the saga has queued it.
   */
  private async keptEvent(saga: Saga, key: string, ref: EventStimulus): Promise<ReactedEvent> {
    const event = await this.reads.event(ref);
    if (saga.keyOf(event) === key) return event;
    throw new WrittenByNewerRelease(
      `${saga.name} of this release does not react to ${event.type} ` +
        `for ${key}, but a newer release does: upgrade this process`,
    );
  }

  private handEvent(saga: Saga, key: string, { ref, read }: Kept, round: number): Promise<void> {
    return this.instances.take(saga, key, {
      ref,
      round,
      prepare: async () => {
        const event = await read();
        const commands = this.commandsAs(metadataAfter(saga, event));
        return { stimulus: { from: 'event', event }, commands };
      },
    });
  }

  private handDeadline(deadline: DueDeadline, round: number): Promise<void> {
    const { kind, key, dueAt } = deadline;
    const saga = this.sagas.find(({ deadlines }) => deadlines.includes(kind));
    assert(saga, `a saga sets deadlines of kind '${kind}'`);
    const ref = { from: 'deadline', kind, dueAt } as const;
    const commands = this.commandsAs(deadlineMetadata(saga, deadline));
    return this.instances.take(saga, key, {
      ref,
      round,
      prepare: () => Promise.resolve({ stimulus: ref, commands }),
    });
  }
}
