import type { DomainCommand, DomainEvent } from '#kernel';
import { assert, newEventId } from '#kernel';
import type { Aggregate, DeadlineChange } from './aggregate.js';
import { currentSchemaVersion } from './event-row.js';
import type { SavedSaga } from './log-storage.js';
import type { KnownState } from './recent-streams.js';
import type { ReactedEvent, Saga, SagaStep, Stimulus, StimulusRef } from './saga.js';
import type {
  Append, EffectResult, FiredDeadline, HandledWebhook, NewEvent, Reservation, Step, StoredAnswer,
} from './step.js';
import type { StepReactions } from './step-reactions.js';
import type { EventMetadata, StreamType } from './stream.js';

/** How long a chain of reactions to reactions may be: a longer one would never end. */
const MAX_ROUNDS = 32;

/** An aggregate as it was read; `certain` when it was read just now, not remembered. */
export interface LoadedStream extends KnownState {
  readonly certain: boolean;
}

export type LoadStream = <State, Command extends DomainCommand, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>, streamId: string,
) => Promise<LoadedStream>;

/** A saga as it was read; `certain` when it was read just now, not remembered. */
export interface LoadedSaga extends SavedSaga {
  readonly certain: boolean;
}

/** Where a step's reads come from. */
export interface StepReads {
  readonly stream: LoadStream;
  /** An event that was kept for a retry. */
  readonly event: (ref: StimulusRef & { readonly from: 'event' }) => Promise<ReactedEvent>;
}

/** What the sagas have not been handed yet. */
type Pending = { readonly round: number } & (
  | { readonly from: 'event'; readonly event: ReactedEvent }
  | { readonly from: 'deadline'; readonly deadline: FiredDeadline });

const deadlineMetadata = (saga: Saga, { kind, key, dueAt }: FiredDeadline): EventMetadata => ({
  correlationId: key, causationId: `${kind} ${dueAt}`, actor: `saga:${saga.name}`,
  traceparent: null,
});

const metadataAfter = (saga: Saga, { eventId, metadata }: ReactedEvent): EventMetadata => ({
  correlationId: metadata.correlationId, causationId: eventId, actor: `saga:${saga.name}`,
  traceparent: metadata.traceparent,
});

interface Stream {
  /** What folds the state. */
  readonly by: object;
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly expectedVersion: number;
  readonly certain: boolean;
  /** The commit compares the version, whether or not anything is written here. */
  compared: boolean;
  state: unknown;
  readonly events: NewEvent[];
}

/**
 * Gathers one step: reads and decides, and writes nothing; the store commits what was gathered.
 * A command decides on the state that earlier commands of the same step have led to.
 */
export class StepBuilder {
  private readonly streams = new Map<string, Stream>();
  private readonly deadlines = new Map<string, DeadlineChange>();
  private readonly gathered: {
    answer: StoredAnswer | null; fired: FiredDeadline | null; effectResult: EffectResult | null;
  } = { answer: null, fired: null, effectResult: null };
  private readonly reservations: Reservation[] = [];
  private readonly effects: Step['effects'][number][] = [];
  private readonly webhooks: HandledWebhook[] = [];
  private readonly pending: Pending[] = [];
  private round = 0;
  private decided = 0;

  constructor(
    /** Of the events that are decided now: the caller's, or that of a saga's reaction. */
    private metadata: EventMetadata,
    private readonly reads: StepReads,
    private readonly reactions: StepReactions,
  ) {}

  /** The aggregate's state, this step's own events included. */
  async load<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
  ): Promise<State> {
    return (await this.stream(aggregate, id)).state as State;
  }

  /**
   * As `load`, for what the step rests on without writing to it: the commit compares the version,
   * so that nothing slips in between.
   */
  async loadCompared<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
  ): Promise<State> {
    const stream = await this.stream(aggregate, id);
    stream.compared = true;
    return stream.state as State;
  }

  /** Decides on the aggregate's state; throws what `decide` throws. Answers the new state. */
  async execute<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): Promise<State> {
    return this.apply(aggregate, await this.stream(aggregate, id), command);
  }

  /** As `execute`, for an aggregate that begins now: nothing is read. */
  create<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): State {
    const key = `${aggregate.streamType} ${id}`;
    assert(!this.streams.has(key), 'an aggregate begins once in a step');
    const { streamType, decider } = aggregate;
    const stream: Stream = {
      by: aggregate, streamType, streamId: id, expectedVersion: 0, certain: true,
      compared: false, state: decider.initialState, events: [],
    };
    this.streams.set(key, stream);
    return this.apply(aggregate, stream, command);
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

  fired(deadline: FiredDeadline): void {
    this.gathered.fired = deadline;
  }

  /** As `fired`, of a deadline that a saga has set: the saga reacts to it in this step. */
  firedForSaga(deadline: FiredDeadline): void {
    this.fired(deadline);
    this.pending.push({ from: 'deadline', deadline, round: 0 });
  }

  /**
   * Hands the sagas what this step has decided so far, then what follows from their reactions, until
   * nothing more follows. The store calls it before the commit; a caller whose answer is to show
   * what followed calls it earlier.
   */
  async react(): Promise<void> {
    for (let next = this.pending.shift(); next; next = this.pending.shift()) {
      this.round = next.round + 1;
      if (next.from === 'event') await this.handOn(next.event);
      else await this.handOnDeadline(next.deadline);
    }
    this.round = 0;
  }

  /** Hands an instance of a saga what it could not react to before, in the old order. */
  async retryReactions(sagaName: string, key: string): Promise<void> {
    const saga = this.reactions.saga(sagaName);
    for (const ref of await this.reactions.resume(saga, key)) {
      if (ref.from === 'deadline') await this.handOnDeadline({ ...ref, key });
      else await this.handTo(saga, key, await this.reads.event(ref));
    }
  }

  effectEnded(result: EffectResult): void {
    this.gathered.effectResult = result;
  }

  webhookHandled(webhook: HandledWebhook): void {
    this.webhooks.push(webhook);
  }

  /** Whether something was decided on a state that was only remembered. */
  get isUncertain(): boolean {
    return this.reactions.isUncertain ||
      [...this.streams.values()].some(({ certain }) => !certain);
  }

  /** The streams of this step as they are once it is committed. */
  outcome(): readonly (KnownState & Pick<Stream, 'by' | 'streamType' | 'streamId'>)[] {
    return [...this.streams.values()].map(({ by, streamType, streamId, state, ...stream }) => ({
      by, streamType, streamId, state, version: stream.expectedVersion + stream.events.length,
    }));
  }

  /** What was gathered, or `null` when there is nothing to commit. */
  build(): Step | null {
    const { reservations, effects, webhooks, gathered } = this;
    assert(this.pending.length === 0, 'sagas react before the step is built');
    const streams = [...this.streams.values()];
    const deadlines = [...this.deadlines.values()];
    const sagas = this.reactions.writes();
    const idle =
      [reservations, effects, deadlines, webhooks].every((list) => list.length === 0) &&
      sagas.every(({ write }) => write === null) &&
      Object.values(gathered).every((part) => part === null) &&
      streams.every(({ events }) => events.length === 0);
    if (idle) return null;
    // A remembered state is compared by the commit, also where nothing follows on it.
    const appends: Append[] = streams
      .filter(({ events, certain, compared }) => events.length > 0 || !certain || compared)
      .map(({ streamType, streamId, expectedVersion, events }) => ({
        streamType, streamId, expectedVersion, events,
      }));
    return { appends, sagas, reservations, effects, deadlines, webhooks, ...gathered };
  }

  private apply<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    stream: Stream,
    command: Command,
  ): State {
    const { decider, upcasters } = aggregate;
    const before = stream.state as State;
    const events = decider
      .decide(before, command)
      .map((event) => ({ eventId: newEventId(), event }));
    const after = events.reduce((state, { event }) => decider.evolve(state, event), before);
    const { streamType, streamId, expectedVersion } = stream;
    const { metadata, round } = this;
    for (const { eventId, event } of events) {
      const { type, ...data } = event;
      const schemaVersion = currentSchemaVersion(upcasters, type);
      this.decided += 1;
      const ordinal = this.decided;
      stream.events.push({ ordinal, eventId, type, schemaVersion, data, metadata });
      const version = expectedVersion + stream.events.length;
      const reacted = { streamType, streamId, version, eventId, type, data, metadata };
      this.pending.push({ from: 'event', event: reacted, round });
    }
    stream.state = after;
    if (events.length > 0) {
      const due = aggregate.followUps({ id: stream.streamId, before, after, events });
      this.effects.push(...due.effects);
      for (const change of due.deadlines) this.setDeadline(change);
    }
    return after;
  }

  private async stream<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    streamId: string,
  ): Promise<Stream> {
    const { streamType } = aggregate;
    const key = `${streamType} ${streamId}`;
    const known = this.streams.get(key);
    if (known) return known;
    const { version: expectedVersion, state, certain } =
      await this.reads.stream(aggregate, streamId);
    const stream: Stream = {
      by: aggregate, streamType, streamId, expectedVersion, certain, compared: false, state,
      events: [],
    };
    this.streams.set(key, stream);
    return stream;
  }

  private async handOn(event: ReactedEvent): Promise<void> {
    for (const saga of this.reactions.sagas) {
      const key = saga.keyOf(event);
      if (key !== null) await this.handTo(saga, key, event);
    }
  }

  private handTo(saga: Saga, key: string, event: ReactedEvent): Promise<void> {
    return this.hand(saga, key, { from: 'event', event }, metadataAfter(saga, event));
  }

  private handOnDeadline(deadline: FiredDeadline): Promise<void> {
    const { kind, key, dueAt } = deadline;
    const saga = this.reactions.sagaOfDeadline(kind);
    return this.hand(saga, key, { from: 'deadline', kind, dueAt }, deadlineMetadata(saga, deadline));
  }

  private async hand(
    saga: Saga, key: string, stimulus: Stimulus, metadata: EventMetadata,
  ): Promise<void> {
    const { metadata: callers } = this;
    this.metadata = metadata;
    try {
      await this.reactions.take(saga, key, stimulus, this.commands);
    } finally {
      this.metadata = callers;
    }
  }

  /** What a saga may do in this step; a chain of reactions that would never end fails here. */
  private readonly commands: SagaStep = {
    execute: (aggregate, id, command) => {
      assert(this.round <= MAX_ROUNDS, `reactions end within ${MAX_ROUNDS} rounds`);
      return this.execute(aggregate, id, command);
    },
    create: (aggregate, id, command) => this.create(aggregate, id, command),
    setDeadline: (change) => this.setDeadline(change),
  };
}
