import type {
  Aggregate,
  DeadlineChange,
  DomainCommand,
  DomainEvent,
  Folded,
  Owner,
  Reservation,
  StreamType,
  UnneededRequest,
} from '#kernel';
import { assert, newEventId } from '#kernel';
import { continueFrom } from '#platform';
import { NEW_SAGA } from './log-storage.js';
import type { KnownState } from './recent-streams.js';
import type { Deferrals } from './reaction-failed.js';
import type { Reactions, SagaStep } from './saga.js';
import type {
  Append,
  DueDeadline,
  EndedJob,
  HandledWebhook,
  NewEvent,
  Step,
  StoredAnswer,
} from './step.js';
import { StepReactions } from './step-reactions.js';
import type { LoadedStream, StepReads } from './step-reads.js';
import type { EventMetadata, RecordedMetadata } from './stream.js';
import { currentSchemaVersion } from './upcast.js';

interface Stream {
  /** The aggregate definition with which the state is computed. */
  readonly by: object;
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly expectedVersion: number;
  readonly certain: boolean;
  /** Whether the commit compares the version, even if the step writes nothing to the stream. */
  compared: boolean;
  state: unknown;
  /** The trace context of the newest event that has one. */
  traceparent: string | null;
  readonly events: NewEvent[];
}

/** The fields of an event's metadata that name its owner. */
const ownedBy = (owner: Owner | null): Pick<RecordedMetadata, 'platformId' | 'merchantId'> => {
  if (owner === null) return {};
  const { platformId, merchantId } = owner;
  return merchantId === undefined ? { platformId } : { platformId, merchantId };
};

/**
 * Collects one step: `work` reads and decides, and the store commits the result. A command sees the
 * state after the earlier commands of the same step.
 */
export class StepBuilder {
  private readonly streams = new Map<string, Stream>();
  private readonly deadlines = new Map<string, DeadlineChange>();
  private readonly gathered: {
    answer: StoredAnswer | null;
    endedJob: EndedJob | null;
  } = { answer: null, endedJob: null };
  private readonly reservations: Reservation[] = [];
  private readonly effects: Step['effects'][number][] = [];
  private readonly unneeded: UnneededRequest[] = [];
  private readonly webhooks: HandledWebhook[] = [];
  private readonly reactions: StepReactions;
  /** The ids of the aggregates that this step creates. */
  private readonly begun = new Set<string>();
  private decided = 0;

  constructor(
    private readonly metadata: EventMetadata,
    private readonly reads: StepReads,
    reactions: Reactions | null,
    deferrals: Deferrals,
  ) {
    const known: StepReads = {
      ...reads,
      // No saga can have a state for an aggregate that this step creates, so the saga is not read.
      // If there is such a state after all, the commit finds a conflict.
      saga: (saga, key) =>
        this.begun.has(key)
          ? Promise.resolve({ ...NEW_SAGA, certain: true })
          : reads.saga(saga, key),
    };
    this.reactions = new StepReactions(reactions, known, deferrals, (of) => this.commandsAs(of));
  }

  /** The aggregate's state, including the events of this step. */
  async load<State>(aggregate: Folded<State>, id: string): Promise<State> {
    return (await this.stream(aggregate, id)).state as State;
  }

  /**
   * Like `load`, for an aggregate on which the step depends without changing it: the commit
   * compares the aggregate's version.
   */
  async loadCompared<State>(aggregate: Folded<State>, id: string): Promise<State> {
    const stream = await this.stream(aggregate, id);
    stream.compared = true;
    return stream.state as State;
  }

  /** Executes a command on the aggregate; throws what `decide` throws. Returns the new state. */
  async execute<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): Promise<State> {
    return this.apply(aggregate, await this.stream(aggregate, id), command, this.metadata);
  }

  /** Like `execute`, for an aggregate that this step creates: nothing is read. */
  create<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): State {
    return this.apply(aggregate, this.newStream(aggregate, id), command, this.metadata);
  }

  reserve(reservation: Reservation): void {
    this.reservations.push(reservation);
  }

  setDeadline(change: DeadlineChange): void {
    this.deadlines.set(`${change.kind} ${change.key}`, change);
  }

  answered(answer: StoredAnswer): void {
    this.gathered.answer = answer;
  }

  /**
   * Ends a job that this process has claimed. Another command of the step may request the job
   * again.
   */
  endJob({ kind, key, claim }: EndedJob, left?: EndedJob['left']): void {
    this.gathered.endedJob = { kind, key, claim, ...(left && { left }) };
  }

  /**
   * Commits the step only if the job is still stuck and was not run since it was read. The job stays
   * stuck.
   */
  compareStuck({ kind, key, claim }: EndedJob): void {
    const left = { state: 'stuck', dueAt: null, note: '' } as const;
    this.gathered.endedJob = { kind, key, claim, expected: 'stuck', left };
  }

  /** Like `endJob`, for a deadline of a saga: the saga reacts to the deadline in this step. */
  firedForSaga(deadline: DueDeadline & EndedJob): void {
    this.endJob(deadline);
    this.reactions.fired(deadline);
  }

  /**
   * Passes the events that were decided so far to the sagas, then the events that result, until no
   * more events follow. The store calls this method before the commit. A caller whose response
   * contains the consequences of its commands calls the method earlier.
   */
  react(): Promise<void> {
    return this.reactions.run();
  }

  /** Passes the queued events and deadlines to a saga instance again, in their order. */
  retryReactions(saga: string, key: string): Promise<void> {
    return this.reactions.retry(saga, key, (one) => this.deadlines.has(`${one.kind} ${one.key}`));
  }

  webhookHandled(webhook: HandledWebhook): void {
    this.webhooks.push(webhook);
  }

  /** Whether a decision used a cached state. */
  get isUncertain(): boolean {
    return this.reactions.isUncertain || [...this.streams.values()].some(({ certain }) => !certain);
  }

  /** The states of the streams of this step after its commit. */
  outcome(): readonly (KnownState & Pick<Stream, 'by' | 'streamType' | 'streamId'>)[] {
    return [...this.streams.values()].map((stream) => ({
      by: stream.by,
      streamType: stream.streamType,
      streamId: stream.streamId,
      state: stream.state,
      traceparent: stream.traceparent,
      version: stream.expectedVersion + stream.events.length,
    }));
  }

  /** The collected step, or `null` if there is nothing to commit. */
  build(): Step | null {
    const { reservations, effects, unneeded, webhooks, gathered } = this;
    assert(this.reactions.isDone, 'sagas react before the step is built');
    const streams = [...this.streams.values()];
    const deadlines = [...this.deadlines.values()];
    const sagas = this.reactions.writes();
    const idle =
      [reservations, effects, deadlines, webhooks].every((list) => list.length === 0) &&
      sagas.every(({ write }) => write === null) &&
      Object.values(gathered).every((part) => part === null) &&
      streams.every(({ events }) => events.length === 0);
    if (idle) return null;
    // The commit compares each cached state, even if the step writes nothing to its stream.
    const appends: Append[] = streams
      .filter(({ events, certain, compared }) => events.length > 0 || !certain || compared)
      .map(({ streamType, streamId, expectedVersion, events }) => ({
        streamType,
        streamId,
        expectedVersion,
        events,
      }));
    return { appends, sagas, reservations, effects, unneeded, deadlines, webhooks, ...gathered };
  }

  private apply<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    stream: Stream,
    command: Command,
    given: EventMetadata,
  ): State {
    const { decider, upcasters } = aggregate;
    const before = stream.state as State;
    const events = decider
      .decide(before, command)
      .map((event) => ({ eventId: newEventId(), event }));
    const after = events.reduce((state, { event }) => decider.evolve(state, event), before);
    const { streamType, streamId, expectedVersion } = stream;
    const traceparent = given.traceparent ?? continueFrom(stream.traceparent);
    const metadata = { ...given, traceparent };
    const recorded = { ...metadata, ...ownedBy(aggregate.ownerOf(after, streamId)) };
    for (const { eventId, event } of events) {
      const { type, ...data } = event;
      const schemaVersion = currentSchemaVersion(upcasters, type);
      this.decided += 1;
      const ordinal = this.decided;
      stream.events.push({ ordinal, eventId, type, schemaVersion, data, metadata: recorded });
      const version = expectedVersion + stream.events.length;
      this.reactions.decided({ streamType, streamId, version, eventId, type, data, metadata });
    }
    stream.state = after;
    if (events.length > 0) {
      stream.traceparent = traceparent;
      const due = aggregate.followUps({ id: stream.streamId, before, after, events });
      for (const effect of due.effects) this.effects.push({ ...effect, begun: null });
      for (const change of due.deadlines) this.setDeadline(change);
      for (const reservation of due.reservations ?? []) this.reserve(reservation);
      this.unneeded.push(...(due.unneeded ?? []));
    }
    return after;
  }

  private async stream<State>(aggregate: Folded<State>, streamId: string): Promise<Stream> {
    const { streamType } = aggregate;
    const known = this.streams.get(`${streamType} ${streamId}`);
    if (known) return known;
    return this.add(aggregate, streamId, await this.reads.stream(aggregate, streamId));
  }

  private newStream<State>(aggregate: Folded<State>, streamId: string): Stream {
    const { streamType, decider } = aggregate;
    const isKnown = this.streams.has(`${streamType} ${streamId}`);
    assert(!isKnown, 'a step creates an aggregate only once');
    this.begun.add(streamId);
    return this.add(aggregate, streamId, {
      version: 0,
      state: decider.initialState,
      traceparent: null,
      certain: true,
    });
  }

  private add(
    by: Pick<Aggregate<never, never, never>, 'streamType'>,
    streamId: string,
    { version: expectedVersion, state, traceparent, certain }: LoadedStream,
  ): Stream {
    const { streamType } = by;
    const read = { by, streamType, streamId, expectedVersion, certain, state, traceparent };
    const stream: Stream = { ...read, compared: false, events: [] };
    this.streams.set(`${streamType} ${streamId}`, stream);
    return stream;
  }

  private commandsAs(metadata: EventMetadata): SagaStep {
    return {
      execute: async (aggregate, id, command) =>
        this.apply(aggregate, await this.stream(aggregate, id), command, metadata),
      create: (aggregate, id, command) =>
        this.apply(aggregate, this.newStream(aggregate, id), command, metadata),
      setDeadline: (change) => this.setDeadline(change),
    };
  }
}
