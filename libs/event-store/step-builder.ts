import type { DomainCommand, DomainEvent } from '#kernel';
import { assert, newEventId } from '#kernel';
import type { Aggregate, DeadlineChange } from './aggregate.js';
import { currentSchemaVersion } from './event-row.js';
import type { SavedSaga } from './log-storage.js';
import type { KnownState } from './recent-streams.js';
import type {
  Append, EffectResult, FiredDeadline, HandledWebhook, NewEvent, Receipt, Reservation, SagaWrite,
  Step, StoredAnswer,
} from './step.js';
import type { EventMetadata, StreamType } from './stream.js';

/** An aggregate as it was read; `certain` when it was read just now, not remembered. */
export interface LoadedStream extends KnownState {
  readonly certain: boolean;
}

/** Loads a stream that has at least `leastVersion` events. */
export type LoadStream = <State, Command extends DomainCommand, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>, streamId: string, leastVersion: number,
) => Promise<LoadedStream>;

/** A saga as it was read; `certain` when it was read just now, not remembered. */
export interface LoadedSaga extends SavedSaga {
  readonly certain: boolean;
}

/** Where a step's reads come from. */
export interface StepReads {
  readonly stream: LoadStream;
  readonly saga: (saga: string, key: string) => Promise<LoadedSaga>;
}

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
    receipt: Receipt | null; saga: SagaWrite | null; answer: StoredAnswer | null;
    fired: FiredDeadline | null; effectResult: EffectResult | null;
  } = { receipt: null, saga: null, answer: null, fired: null, effectResult: null };
  private readonly reservations: Reservation[] = [];
  private readonly effects: Step['effects'][number][] = [];
  private readonly webhooks: HandledWebhook[] = [];
  private isSagaCertain = true;

  constructor(
    private readonly metadata: EventMetadata,
    private readonly reads: StepReads,
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

  received(receipt: Receipt): void {
    this.gathered.receipt = receipt;
  }

  /** A saga's state as it was saved last. What is only remembered is compared when it is saved. */
  async loadSaga(saga: string, key: string): Promise<SavedSaga> {
    const { certain, ...saved } = await this.reads.saga(saga, key);
    this.isSagaCertain = certain;
    return saved;
  }

  saveSaga(saga: SagaWrite): void {
    this.gathered.saga = saga;
  }

  answered(answer: StoredAnswer): void {
    this.gathered.answer = answer;
  }

  fired(deadline: FiredDeadline): void {
    this.gathered.fired = deadline;
  }

  effectEnded(result: EffectResult): void {
    this.gathered.effectResult = result;
  }

  webhookHandled(webhook: HandledWebhook): void {
    this.webhooks.push(webhook);
  }

  /** Whether something was decided on a state that was only remembered. */
  get isUncertain(): boolean {
    return !this.isSagaCertain || [...this.streams.values()].some(({ certain }) => !certain);
  }

  /** Whether the commit would compare all that was decided on. */
  get isCompared(): boolean {
    return this.isSagaCertain || this.gathered.saga !== null;
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
    const streams = [...this.streams.values()];
    const deadlines = [...this.deadlines.values()];
    const idle =
      [reservations, effects, deadlines, webhooks].every((list) => list.length === 0) &&
      Object.values(gathered).every((part) => part === null) &&
      streams.every(({ events }) => events.length === 0);
    if (idle) return null;
    // A remembered state is compared by the commit, also where nothing follows on it.
    const appends: Append[] = streams
      .filter(({ events, certain, compared }) => events.length > 0 || !certain || compared)
      .map(({ streamType, streamId, expectedVersion, events }) => ({
        streamType, streamId, expectedVersion, events,
      }));
    return { appends, reservations, effects, deadlines, webhooks, ...gathered };
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
    for (const { eventId, event } of events) {
      const { type, ...data } = event;
      const schemaVersion = currentSchemaVersion(upcasters, type);
      stream.events.push({ eventId, type, schemaVersion, data, metadata: this.metadata });
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
      await this.reads.stream(aggregate, streamId, this.leastVersion(streamType, streamId));
    const stream: Stream = {
      by: aggregate, streamType, streamId, expectedVersion, certain, compared: false, state,
      events: [],
    };
    this.streams.set(key, stream);
    return stream;
  }

  /** A message tells how long its stream is at least. */
  private leastVersion(streamType: StreamType, streamId: string): number {
    const { receipt } = this.gathered;
    const isItsStream = receipt?.streamType === streamType && receipt.streamId === streamId;
    return isItsStream ? receipt.version : 0;
  }
}
