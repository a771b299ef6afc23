import type { DomainCommand, DomainEvent } from '#kernel';
import { assert, fold, newEventId } from '#kernel';
import type { Aggregate, DeadlineChange } from './aggregate.js';
import { currentSchemaVersion } from './event-row.js';
import type {
  Append, EffectResult, FiredDeadline, HandledWebhook, NewEvent, Receipt, Reservation, SagaWrite, Step, StoredAnswer,
} from './step.js';
import type { EventMetadata, StreamType } from './stream.js';

/** An aggregate's history as far as it is known. */
export interface History {
  readonly version: number;
  readonly events: readonly DomainEvent[];
}

export type LoadHistory = (streamType: StreamType, streamId: string) => Promise<History>;

interface Stream {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly expectedVersion: number;
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

  constructor(
    private readonly metadata: EventMetadata,
    private readonly loadHistory: LoadHistory,
  ) {}

  /** The aggregate's state, this step's own events included. */
  async load<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
  ): Promise<State> {
    return (await this.stream(aggregate, id)).state as State;
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
    const stream = {
      streamType, streamId: id, expectedVersion: 0, state: decider.initialState, events: [],
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

  /** What was gathered, or `null` when there is nothing to commit. */
  build(): Step | null {
    const appends: Append[] = [...this.streams.values()]
      .filter(({ events }) => events.length > 0)
      .map(({ streamType, streamId, expectedVersion, events }) => ({
        streamType, streamId, expectedVersion, events,
      }));
    const { reservations, effects, webhooks, gathered } = this;
    const deadlines = [...this.deadlines.values()];
    const idle =
      [appends, reservations, effects, deadlines, webhooks].every((list) => list.length === 0) &&
      Object.values(gathered).every((part) => part === null);
    return idle ? null : { appends, reservations, effects, deadlines, webhooks, ...gathered };
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
    const { streamType, decider } = aggregate;
    const key = `${streamType} ${streamId}`;
    const known = this.streams.get(key);
    if (known) return known;
    const { version, events } = await this.loadHistory(streamType, streamId);
    const state = fold(decider, events as readonly Event[]);
    const stream = { streamType, streamId, expectedVersion: version, state, events: [] };
    this.streams.set(key, stream);
    return stream;
  }
}
