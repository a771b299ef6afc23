import { AssertionFailed, type Clock, plusMs, Rejection, storableText } from '#kernel';
import {
  errorKind,
  type EventMetadata,
  type EventStore,
  ReservationTaken,
  StepSuperseded,
  untraced,
} from '#log';
import type { Logger } from '#platform';
import { FOR_NEWER_RELEASE_MS } from './backoff.js';
import type { CallFamily, EndedCall, LoadedCall } from './call-family.js';
import { type CallJob, callOf } from './call-job.js';
import { MAX_TRIES, waitAfterTry } from './call-schedule.js';
import { ClaimLapsed, type JobEnd, type JobHold, type JobKind, MAX_NOTE_CHARS } from './job.js';

/** SQLSTATE class 22: the provider returned a text or number that the database cannot store. */
const isUnstorable = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^22\w{3}$/.test(error.code);

/** Whether no later run can record this result. */
const isFinal = (error: unknown): error is Error =>
  error instanceof AssertionFailed ||
  error instanceof Rejection ||
  error instanceof ReservationTaken ||
  (error instanceof Error && isUnstorable(error));

/**
 * Whether an error that we do not know has kept a result from being recorded for as many runs as a
 * call is retried. Such an error may pass, so until then the next run reads the provider and records
 * the result.
 */
const hasNotPassed = (error: unknown, { attempts }: CallJob): boolean =>
  attempts >= MAX_TRIES &&
  errorKind(error) === 'unknown' &&
  !(error instanceof StepSuperseded || error instanceof ClaimLapsed);

const nothing = (): Promise<void> => Promise.resolve();

interface Run {
  readonly family: CallFamily;
  readonly job: CallJob;
  readonly hold: JobHold;
  readonly loaded: LoadedCall;
  readonly metadata: EventMetadata;
  /** Whether a write may have been sent to the provider. */
  readonly mayHaveSent: () => boolean;
  /** Called right before a write is sent. */
  readonly sends: () => void;
}

/** An earlier run was interrupted during its request, so the result of that request is unknown. */
const wasCalling = ({ found }: CallJob): boolean => found === 'running';

const stuckBy = (error: unknown, { loaded, mayHaveSent }: Run): EndedCall => ({
  next: { state: 'stuck' },
  note: error instanceof Error ? error.message : String(error),
  record: async (step) => {
    if (error instanceof ReservationTaken) await loaded.recordTaken?.(step, error);
    if (mayHaveSent()) await loaded.recordStuck?.(step);
  },
});

/**
 * Sends requests to the provider. First the claim commits the state `running`; then the request is
 * sent; then its result and the new state of the job are committed in one step. If the process
 * fails in between, the next run finds the job in the state `running`, and reads the provider
 * first.
 */
export class CallRunner {
  /** Each kind of request belongs to one of the `families`. */
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly families: readonly CallFamily[],
  ) {}

  kinds(): readonly JobKind[] {
    return this.families.flatMap((family) =>
      family.kinds.map((kind) => ({
        kind,
        lane: 'calls',
        afterFailure: 'lapse',
        traceparentOf: (job) => family.traceparentOf(callOf(job)),
        run: (job, hold) => this.run(family, callOf(job), hold),
      })),
    );
  }

  /** Rejects if the database fails: then the claim expires, and the next run reads the provider. */
  private async run(family: CallFamily, job: CallJob, hold: JobHold): Promise<JobEnd> {
    let mayHaveSent = wasCalling(job);
    try {
      const loaded = await family.load(job);
      const metadata = untraced(loaded.correlationId, job.jobId, 'provider');
      const run: Run = {
        family,
        job,
        hold,
        loaded,
        metadata,
        mayHaveSent: () => mayHaveSent,
        sends: () => (mayHaveSent = true),
      };
      return await this.commit(run, await this.make(run));
    } catch (error) {
      // If only a newer release can read the job's aggregate, the job waits. The wait does not
      // count as an attempt, because no request was sent.
      if (errorKind(error) !== 'newer' || mayHaveSent) throw error;
      const { jobId, kind, subjectId } = job;
      this.logger.error(
        { jobId, kind, subjectId, err: error },
        'a provider request waits for a process of a newer release',
      );
      return { next: 'later', waitMs: FOR_NEWER_RELEASE_MS };
    }
  }

  /** Rejects if the claim is lost, or with a transient error such as a database outage. */
  private async make(run: Run): Promise<EndedCall> {
    const { family, job, hold, loaded } = run;
    const stillHeld = (): void => {
      hold.stillHeld();
      run.sends();
    };
    try {
      return await loaded.make({ job, stillHeld, now: () => this.clock.now() });
    } catch (error) {
      if (error instanceof ClaimLapsed) throw error;
      const outcome = family.outcomeOf(error, job);
      if (outcome !== null) {
        // An earlier run may have sent the request. The job's new state does not show this, so an
        // event must record that the result is unknown.
        const record = (wasCalling(job) ? loaded.recordStuck : null) ?? nothing;
        return { ...outcome, record };
      }
      if (errorKind(error) === 'transient' || errorKind(error) === 'newer') throw error;
      this.logger.error(
        { jobId: job.jobId, kind: job.kind, err: error },
        'a provider request failed: an operator must decide',
      );
      return stuckBy(error, run);
    }
  }

  private async commit(run: Run, call: EndedCall): Promise<JobEnd> {
    try {
      return await this.commitStep(run, call);
    } catch (error) {
      if (!isFinal(error) && !hasNotPassed(error, run.job)) throw error;
      // The provider's response cannot be recorded, because of a bug or because the response
      // contains a value that cannot be stored or processed.
      const { jobId, kind } = run.job;
      this.logger.error(
        { jobId, kind, err: error },
        'a provider request failed: an operator must decide',
      );
      return this.commitStuck(run, stuckBy(error, run));
    }
  }

  /**
   * Ends the job as failed. The job ends even if it is certain that no event about the failure can
   * be recorded, because otherwise the job would be run forever.
   */
  private async commitStuck(run: Run, call: EndedCall): Promise<JobEnd> {
    try {
      return await this.commitStep(run, call);
    } catch (error) {
      if (!isFinal(error)) throw error;
      const { jobId, kind } = run.job;
      this.logger.error(
        { jobId, kind, err: error },
        'no event can be recorded for this failed provider request: the job ends as failed without an event',
      );
      return this.commitStep(run, { ...call, record: nothing });
    }
  }

  private async commitStep(
    { job, loaded, metadata }: Run,
    { next, note, record }: EndedCall,
  ): Promise<JobEnd> {
    const { jobId, kind, subjectId } = job;
    const waitMs =
      next.state === 'waiting' ? waitAfterTry(job.attempts, loaded.maxBackoffMs ?? null) : null;
    const state = next.state === 'waiting' && waitMs === null ? 'stuck' : next.state;
    const dueAt =
      next.state === 'waiting' && waitMs !== null
        ? plusMs(this.clock.now(), Math.max(waitMs, next.afterMs))
        : null;
    await this.store.step(metadata, async (step) => {
      await record(step);
      step.endJob(job, { state, dueAt, note: storableText(note, MAX_NOTE_CHARS) });
    });
    const level = state === 'stuck' ? 'error' : state === 'waiting' ? 'warn' : 'debug';
    this.logger[level](
      { jobId, kind, subjectId, state, note },
      'a run of a provider request ended',
    );
    return { next: 'recorded', state };
  }
}
