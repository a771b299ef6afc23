import type {
  Aggregate, ConflictRow, EventRow, SavedSaga, Step, StreamRef,
} from '#event-store';
import { assert, type DomainCommand, type DomainEvent, type Instant, instantFromMs } from '#kernel';
import type { ListKind, TaskProgress } from '../../../apps/worker/payouts/account-task.js';
import type { ReceivedWebhook } from '../../../apps/worker/webhooks/webhook-queue.js';

export interface DeadlineRow {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant;
  readonly tries: number;
  claimedUntilMs: number;
}

export interface EffectRow {
  readonly jobId: string;
  readonly ordinal: number;
  readonly kind: string;
  readonly subjectId: string;
  readonly accountId: string;
  state: 'ready' | 'calling' | 'waiting' | 'stuck' | 'done';
  tries: number;
  dueAt: Instant | null;
  claim: string | null;
  claimedUntilMs: number;
  note: string;
}

/** What of a webhook's body is kept. */
type WebhookHint = Pick<ReceivedWebhook, 'type' | 'intentId' | 'paymentId' | 'status'>;

export interface WebhookRow extends WebhookHint {
  readonly id: string;
  readonly accountId: string;
  readonly eventId: string;
  tries: number;
  claimedUntilMs: number;
  handled: boolean;
}

/** A list of the account's that is looked through, by and by. */
export interface TaskRow {
  readonly kind: Exclude<ListKind, 'payouts'>;
  dueAt: Instant;
  tries: number;
  progress: TaskProgress;
  claim: string | null;
  claims: number;
  claimedUntilMs: number;
}

const LISTS: readonly TaskRow['kind'][] = ['payments', 'refunds', 'disputes'];

interface AnswerRow {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

export interface SagaRow extends SavedSaga {
  readonly saga: string;
  readonly key: string;
  /** When what waits is tried again; Infinity: when a person asks. */
  retryAtMs: number | null;
}

const NO_ROWS: readonly EventRow[] = [];

const streamKey = ({ streamType, streamId }: StreamRef): string => `${streamType} ${streamId}`;

/** As a column of type `json` gives back what was put in. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * The orchestrator's tables in memory, and what its one commit function does to them: compare
 * everything, then write everything. A contract suite holds it to the real one.
 */
export class SimulatedDatabase {
  readonly events: EventRow[] = [];
  readonly deadlines = new Map<string, DeadlineRow>();
  readonly effects: EffectRow[] = [];
  readonly webhooks: WebhookRow[] = [];
  readonly sagas = new Map<string, SagaRow>();
  readonly tasks: readonly TaskRow[];
  readonly relay = { position: '0', token: 0, expiresAtMs: 0 };
  private readonly streams = new Map<string, EventRow[]>();
  private readonly reservations = new Map<string, string>();
  private readonly answers = new Map<string, AnswerRow>();
  private readonly folded = new WeakMap<readonly EventRow[], { version: number; state: unknown }>();

  /** `nowMs`: the database's own time. `onCommit`: told of each step once it is true. */
  constructor(
    private readonly nowMs: () => number,
    private readonly onCommit: (step: Step) => void = () => undefined,
  ) {
    const dueAt = instantFromMs(nowMs());
    this.tasks = LISTS.map((kind) => ({
      kind, dueAt, tries: 0, progress: {}, claim: null, claims: 0, claimedUntilMs: 0,
    }));
  }

  stream(ref: StreamRef): readonly EventRow[] {
    return this.streams.get(streamKey(ref)) ?? NO_ROWS;
  }

  /** The current state of an aggregate, for those who look from outside. */
  state<State, Command extends DomainCommand, Event extends DomainEvent>(
    { streamType, decider }: Aggregate<State, Command, Event>, streamId: string,
  ): State {
    const rows = this.stream({ streamType, streamId });
    const known = this.folded.get(rows) ?? { version: 0, state: decider.initialState };
    if (known.version === rows.length) return known.state as State;
    const state = rows.slice(known.version).reduce(
      (before, { type, data }) => decider.evolve(before, { ...data, type } as unknown as Event),
      known.state as State);
    this.folded.set(rows, { version: rows.length, state });
    return state;
  }

  holderOf(scope: string, key: string): string | undefined {
    return this.reservations.get(`${scope} ${key}`);
  }

  /** As PostgreSQL: of several conflicts of a step the last that is looked for is told. */
  commit(step: Step): ConflictRow | null {
    const conflict = this.conflicts(step).at(-1) ?? null;
    if (conflict !== null) return conflict;
    this.writeEvents(step);
    this.writeProgress(step);
    this.writeDuties(step);
    this.onCommit(step);
    return null;
  }

  /** Keeps a webhook once; one that comes again changes nothing. */
  receive(accountId: string, eventId: string, hint: WebhookHint): void {
    const isKnown = this.webhooks.some((one) =>
      one.accountId === accountId && one.eventId === eventId);
    if (isKnown) return;
    const id = String(this.webhooks.length + 1);
    this.webhooks.push({
      ...hint, id, accountId, eventId, tries: 0, claimedUntilMs: 0, handled: false,
    });
  }

  private conflicts(step: Step): ConflictRow[] {
    const found: ConflictRow[] = [];
    const tell = (kind: ConflictRow['kind'], detail: ConflictRow['detail']): void => {
      found.push({ step: 0, kind, detail });
    };
    for (const append of step.appends) {
      if (this.stream(append).length !== append.expectedVersion) {
        tell('version', { id: append.streamId });
      }
    }
    const { sagas, fired, effectResult: result, answer } = step;
    for (const saga of sagas) {
      const version = this.sagas.get(`${saga.saga} ${saga.key}`)?.version ?? 0;
      if (version !== saga.expectedVersion) tell('saga', { id: saga.key });
    }
    if (fired && this.deadlines.get(`${fired.kind} ${fired.key}`)?.dueAt !== fired.dueAt) {
      tell('fired', { id: fired.key });
    }
    if (result) {
      const job = this.effects.find(({ jobId }) => jobId === result.jobId);
      const isOurs = job?.claim === result.claim && job.state === 'calling';
      if (!isOurs) tell('effect', { id: result.jobId });
    }
    for (const { id } of step.webhooks) {
      if (this.webhooks[Number(id) - 1]?.handled) tell('webhook', { id });
    }
    for (const { scope, key } of step.reservations) {
      const holder = this.holderOf(scope, key);
      if (holder !== undefined) tell('reservation', { scope, key, holder });
    }
    const answered = answer && this.answers.get(`${answer.platformId} ${answer.key}`);
    if (answered) tell('answer', { ...answered });
    return found;
  }

  private writeEvents({ appends }: Step): void {
    const inOrder = appends
      .flatMap(({ events, ...stream }) => events.map((event) => ({ stream, event })))
      .sort((a, b) => a.event.ordinal - b.event.ordinal);
    for (const { stream: { streamType, streamId }, event } of inOrder) {
      const key = streamKey({ streamType, streamId });
      const rows = this.streams.get(key) ?? [];
      this.streams.set(key, rows);
      const position = String(this.events.length + 1);
      const row: EventRow = {
        epoch: 1, transaction_id: position, position, stream_type: streamType,
        stream_id: streamId, version: rows.length + 1, event_id: event.eventId,
        type: event.type, schema_version: event.schemaVersion, data: stored(event.data),
        metadata: stored(event.metadata), recorded_at: new Date(this.nowMs()),
      };
      rows.push(row);
      this.events.push(row);
    }
  }

  private writeProgress({ sagas, reservations, answer }: Step): void {
    for (const { saga, key, expectedVersion, write } of sagas) {
      if (write === null) continue;
      const name = `${saga} ${key}`;
      const { state, done, waiting, retryAfterMs } = write;
      const retryAtMs = retryAfterMs === null
        ? this.sagas.get(name)?.retryAtMs ?? null : this.nowMs() + retryAfterMs;
      this.sagas.set(name, {
        saga, key, version: expectedVersion + 1, state: stored(state), done,
        waiting: stored(waiting), retryAtMs: waiting === null ? null : retryAtMs,
      });
    }
    for (const { scope, key, holder } of reservations) {
      this.reservations.set(`${scope} ${key}`, holder);
    }
    if (answer) {
      const { platformId, key, fingerprint, status, body } = answer;
      this.answers.set(`${platformId} ${key}`, { fingerprint, status, body: stored(body) });
    }
  }

  private writeDuties({ fired, deadlines, effects, effectResult: result, webhooks }: Step): void {
    if (fired) this.deadlines.delete(`${fired.kind} ${fired.key}`);
    for (const { kind, key, dueAt, tries = 0 } of deadlines) {
      const name = `${kind} ${key}`;
      // Set anew it is in its old place of the table; whoever claimed it holds nothing any more.
      if (dueAt === null) this.deadlines.delete(name);
      else this.deadlines.set(name, { kind, key, dueAt, tries, claimedUntilMs: 0 });
    }
    for (const effect of effects) {
      this.effects.push({
        ...effect, ordinal: this.effects.length + 1, state: 'ready', tries: 0, dueAt: null,
        claim: null, claimedUntilMs: 0, note: '',
      });
    }
    if (result) {
      const job = this.effects.find(({ jobId }) => jobId === result.jobId);
      assert(job, 'a job that was compared is there');
      const { state, dueAt, note } = result;
      Object.assign(job, { state, dueAt, note, claim: null, claimedUntilMs: 0 });
    }
    for (const { id } of webhooks) {
      const webhook = this.webhooks[Number(id) - 1];
      if (webhook) Object.assign(webhook, { handled: true, claimedUntilMs: 0 });
    }
  }

  now(): Instant {
    return instantFromMs(this.nowMs());
  }
}
