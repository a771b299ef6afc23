import {
  type ConflictRow,
  domainEvent,
  type EndedJob,
  type EventRow,
  type SavedSaga,
  type Step,
  type StreamRef,
} from '#log';
import type { Job } from '#jobs';
import {
  type Aggregate,
  assert,
  type DomainCommand,
  type DomainEvent,
  type Instant,
  instantFromMs,
} from '#kernel';
import type { ReceivedWebhook } from '../../../apps/worker/payments/webhook-queue.js';

export interface JobRow {
  readonly kind: string;
  readonly key: string;
  readonly ordinal: number;
  readonly accountId: string | null;
  readonly subjectId: string | null;
  state: 'ready' | 'running' | 'waiting' | 'stuck' | 'done';
  dueAt: Instant;
  attempts: number;
  claim: string | null;
  /** Whether a claim of the job has expired: its worker was killed, or lost its connection. */
  hasLapsed: boolean;
  /**
   * Wall time in milliseconds at which the claim of a running job expires, or the backoff of a
   * waiting job ends. Null if only `dueAt` determines when the job may start.
   */
  heldUntilMs: number | null;
  progress: Job['progress'];
  note: string;
  /** The time at which the retries of the job were exhausted; 0 if the job is not stuck. */
  stuckSinceMs: number;
  again: boolean;
}

/** The stored fields of a webhook. */
type WebhookHint = Pick<ReceivedWebhook, 'type' | 'intentId' | 'paymentId' | 'status'>;

export interface WebhookRow extends WebhookHint {
  readonly id: string;
  readonly accountId: string;
  readonly eventId: string;
  handled: boolean;
}

/** The kinds of jobs that poll the lists of each account. */
const LISTS = ['account.payments', 'account.refunds', 'account.disputes'];

interface AnswerRow {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

export interface SagaRow extends SavedSaga {
  readonly saga: string;
  readonly key: string;
  /**
   * The time at which the saga's failed reaction is retried; Infinity if only an operator can retry
   * it; null if no reaction has failed.
   */
  retryAtMs: number | null;
}

const NO_ROWS: readonly EventRow[] = [];

const streamKey = ({ streamType, streamId }: StreamRef): string => `${streamType} ${streamId}`;

export const jobName = ({ kind, key }: Pick<Job, 'kind' | 'key'>): string => `${kind} ${key}`;

/** Returns the value as a column of type `json` would return it. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * The orchestrator's tables in memory. `commit` does what commit_steps does: it compares all
 * versions and claims, and then writes everything or nothing. storage-contract.spec.ts compares
 * this class with PostgreSQL.
 */
export class SimulatedDatabase {
  readonly events: EventRow[] = [];
  readonly jobs = new Map<string, JobRow>();
  readonly webhooks: WebhookRow[] = [];
  readonly sagas = new Map<string, SagaRow>();
  claims = 0;
  readonly relay = { position: '0', token: 0, expiresAtMs: 0, cursorToken: 0 };
  private jobsMade = 0;
  private readonly streams = new Map<string, EventRow[]>();
  private readonly reservations = new Map<string, string>();
  private readonly answers = new Map<string, AnswerRow>();
  private readonly folded = new WeakMap<readonly EventRow[], { version: number; state: unknown }>();

  /**
   * `nowMs` is the database's clock in milliseconds. `onCommit` is called with each committed step.
   * `accountIds` are the accounts whose lists are polled.
   */
  constructor(
    readonly nowMs: () => number,
    private readonly onCommit: (step: Step) => void = () => undefined,
    accountIds: readonly string[] = [],
  ) {
    const dueAt = instantFromMs(nowMs());
    for (const accountId of accountIds) {
      for (const kind of LISTS) this.setJob({ kind, key: accountId, accountId, dueAt });
    }
  }

  stream(ref: StreamRef): readonly EventRow[] {
    return this.streams.get(streamKey(ref)) ?? NO_ROWS;
  }

  /** The current state of an aggregate, for checks. */
  state<State, Command extends DomainCommand, Event extends DomainEvent>(
    { streamType, decider }: Aggregate<State, Command, Event>,
    streamId: string,
  ): State {
    const rows = this.stream({ streamType, streamId });
    const known = this.folded.get(rows) ?? { version: 0, state: decider.initialState };
    if (known.version === rows.length) return known.state as State;
    const state = rows
      .slice(known.version)
      .reduce(
        (before, row) => decider.evolve(before, domainEvent<Event>(row)),
        known.state as State,
      );
    this.folded.set(rows, { version: rows.length, state });
    return state;
  }

  holderOf(scope: string, key: string): string | undefined {
    return this.reservations.get(`${scope} ${key}`);
  }

  /**
   * Writes a step, unless it has a conflict. Of several conflicts it returns the one that is
   * compared last, as PostgreSQL does.
   */
  commit(step: Step): ConflictRow | null {
    const conflict = this.conflicts(step).at(-1) ?? null;
    if (conflict !== null) return conflict;
    this.writeEvents(step);
    this.writeProgress(step);
    this.writeDuties(step);
    this.onCommit(step);
    return null;
  }

  /**
   * Stores a webhook and requests a read of its intent. A repeated webhook changes nothing; an
   * ignored webhook causes no read.
   */
  receive(accountId: string, eventId: string, hint: WebhookHint, isIgnored: boolean): void {
    const isKnown = this.webhooks.some(
      (one) => one.accountId === accountId && one.eventId === eventId,
    );
    if (isKnown) return;
    const id = String(this.webhooks.length + 1);
    this.webhooks.push({
      ...hint,
      id,
      accountId,
      eventId,
      handled: isIgnored,
    });
    if (!isIgnored) this.askForRead(accountId, hint.intentId ?? '');
  }

  openWebhooks(intentId: string): readonly WebhookRow[] {
    return this.webhooks
      .filter((one) => !one.handled && (one.intentId ?? '') === intentId)
      .map((one) => ({ ...one }));
  }

  private conflicts(step: Step): ConflictRow[] {
    const found: ConflictRow[] = [];
    const add = (kind: ConflictRow['kind'], detail: ConflictRow['detail']): void => {
      found.push({ step: 0, kind, detail });
    };
    for (const append of step.appends) {
      if (this.stream(append).length !== append.expectedVersion) {
        add('version', { id: append.streamId });
      }
    }
    const { sagas, endedJob, answer } = step;
    for (const saga of sagas) {
      const version = this.sagas.get(`${saga.saga} ${saga.key}`)?.version ?? 0;
      if (version !== saga.expectedVersion) add('saga', { id: saga.key });
    }
    if (endedJob && !this.isHeld(endedJob)) {
      add('job', { id: `${endedJob.kind} ${endedJob.key}` });
    }
    for (const { scope, key } of step.reservations) {
      const holder = this.holderOf(scope, key);
      if (holder !== undefined) add('reservation', { scope, key, holder });
    }
    const answered = answer && this.answers.get(`${answer.platformId} ${answer.key}`);
    if (answered) add('answer', { ...answered });
    return found;
  }

  private writeEvents({ appends }: Step): void {
    const inOrder = appends
      .flatMap(({ events, ...stream }) => events.map((event) => ({ stream, event })))
      .sort((a, b) => a.event.ordinal - b.event.ordinal);
    for (const {
      stream: { streamType, streamId },
      event,
    } of inOrder) {
      const key = streamKey({ streamType, streamId });
      const rows = this.streams.get(key) ?? [];
      this.streams.set(key, rows);
      const position = String(this.events.length + 1);
      const row: EventRow = {
        epoch: 1,
        transaction_id: position,
        position,
        stream_type: streamType,
        stream_id: streamId,
        version: rows.length + 1,
        event_id: event.eventId,
        type: event.type,
        schema_version: event.schemaVersion,
        data: stored(event.data),
        metadata: stored(event.metadata),
        recorded_at: new Date(this.nowMs()),
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
      const retryAtMs =
        retryAfterMs === null
          ? (this.sagas.get(name)?.retryAtMs ?? null)
          : this.nowMs() + retryAfterMs;
      this.sagas.set(name, {
        saga,
        key,
        version: expectedVersion + 1,
        state: stored(state),
        done,
        waiting: stored(waiting),
        retryAtMs: waiting === null ? null : retryAtMs,
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

  private writeDuties({ endedJob, unneeded, deadlines, effects, webhooks }: Step): void {
    if (endedJob) this.endJob(endedJob);
    for (const { kind, subjectId } of unneeded) {
      const stuck = this.calls().filter((one) => one.kind === kind && one.subjectId === subjectId);
      for (const { key } of stuck) this.releaseStuck(key);
    }
    for (const { kind, key, dueAt, tries = 0 } of deadlines) {
      if (dueAt === null) this.jobs.delete(jobName({ kind, key }));
      else this.setJob({ kind, key, dueAt, progress: tries === 0 ? {} : { tries } });
    }
    for (const { jobId: key, kind, subjectId, accountId, askedAt: dueAt, begun } of effects) {
      const isFree = !this.calls().some(
        (one) => one.subjectId === subjectId && one.state !== 'done',
      );
      const begins: Partial<JobRow> =
        begun !== null && isFree
          ? {
              state: 'running',
              claim: begun.claim,
              attempts: 1,
              heldUntilMs: this.nowMs() + begun.claimMs,
            }
          : { state: 'ready' };
      this.setJob({ kind, key, subjectId, accountId, dueAt, ...begins });
    }
    for (const { id } of webhooks) {
      const webhook = this.webhooks[Number(id) - 1];
      if (webhook) webhook.handled = true;
    }
  }

  /** The jobs that this step should have started immediately, but that were queued instead. */
  queuedOf({ effects }: Step): readonly string[] {
    return effects
      .filter(
        ({ kind, jobId, begun }) => begun !== null && !this.isHeld({ kind, key: jobId, ...begun }),
      )
      .map(({ jobId }) => jobId);
  }

  /** The jobs that call the provider, the oldest first. */
  calls(): readonly JobRow[] {
    return [...this.jobs.values()].filter(({ subjectId }) => subjectId !== null);
  }

  /** Whether the job's claim is still valid: no other worker has claimed the job since. */
  isHeld(job: Pick<EndedJob, 'kind' | 'key' | 'claim' | 'expected'>): boolean {
    const row = this.jobs.get(jobName(job));
    return row?.state === (job.expected ?? 'running') && row.claim === job.claim;
  }

  private endJob({ left, ...ended }: EndedJob): void {
    const row = this.jobs.get(jobName(ended));
    assert(row, 'a job whose claim is compared exists');
    if (ended.expected !== undefined && ended.expected === left?.state) return;
    if (left === undefined) this.removeJob(ended);
    else {
      const { state, dueAt, note } = left;
      const stuckSinceMs = state === 'stuck' ? this.nowMs() : 0;
      Object.assign(row, {
        state,
        dueAt: dueAt ?? row.dueAt,
        note,
        heldUntilMs: null,
        stuckSinceMs,
      });
    }
  }

  /** Removes a finished job. A job that was requested again while it ran is queued instead. */
  removeJob(job: Pick<Job, 'kind' | 'key'>): void {
    const row = this.jobs.get(jobName(job));
    if (row?.again !== true) this.jobs.delete(jobName(job));
    else Object.assign(row, { state: 'ready', again: false, attempts: 0, heldUntilMs: null });
  }

  /** Retries a request whose retries are exhausted; returns whether there was such a request. */
  releaseStuck(key: string): boolean {
    const row = this.calls().find((one) => one.key === key && one.state === 'stuck');
    if (row === undefined) return false;
    const claim = row.claim ?? 'released';
    const dueAt = instantFromMs(0);
    Object.assign(row, { state: 'waiting', dueAt, attempts: 0, claim, heldUntilMs: null });
    return true;
  }

  /** Makes the retry of a failed reaction due now; returns whether the saga has one. */
  retryNow(saga: string, key: string): boolean {
    const row = this.sagas.get(`${saga} ${key}`);
    if (row === undefined || row.waiting === null) return false;
    row.retryAtMs = this.nowMs();
    return true;
  }

  answerOf(scope: string, key: string): AnswerRow | undefined {
    return this.answers.get(`${scope} ${key}`);
  }

  private askForRead(accountId: string, intentId: string): void {
    const kind = 'intent.read';
    const key = `${accountId} ${intentId}`;
    const known = this.jobs.get(jobName({ kind, key }));
    if (known === undefined) {
      this.setJob({
        kind,
        key,
        accountId,
        dueAt: this.now(),
        state: 'ready',
        progress: { intentId },
      });
    } else if (known.state === 'running') known.again = true;
  }

  /**
   * Adds or replaces a job. A replaced job keeps its position in the table, and its claim becomes
   * invalid.
   */
  private setJob(job: Pick<JobRow, 'kind' | 'key' | 'dueAt'> & Partial<JobRow>): void {
    const known = this.jobs.get(jobName(job));
    this.jobsMade += 1;
    this.jobs.set(jobName(job), {
      accountId: null,
      subjectId: null,
      progress: {},
      state: 'waiting',
      attempts: 0,
      claim: null,
      hasLapsed: false,
      heldUntilMs: null,
      note: '',
      stuckSinceMs: 0,
      again: false,
      ordinal: known?.ordinal ?? this.jobsMade,
      ...job,
    });
  }

  now(): Instant {
    return instantFromMs(this.nowMs());
  }
}
