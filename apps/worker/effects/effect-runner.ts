import {
  AssertionFailed, type Clock, MINUTE_MS, plusMs, Rejection, storableText,
} from '#kernel';
import {
  errorKind, type EventMetadata, type EventStore, ReservationTaken, StepSuperseded,
  WrittenByNewerRelease,
} from '#event-store';
import { isProviderError } from '#provider';
import type { Logger } from '#platform';
import type { AccountLoad } from '../loop/account-shares.js';
import type { EffectFamily, EndedCall, LoadedCall } from './effect-family.js';
import { ClaimLapsed, type EffectJob, type NextState } from './effect-job.js';
import type { EffectQueue } from './effect-queue.js';
import { HeldClaims, type WallTime, wallTime } from './held-claims.js';
import { waitAfterTry } from './look-schedule.js';
import { outcomeOfProviderError } from './provider-failure.js';

const MAX_NOTE = 500;
/** Business time until what only a newer release can do is looked at again. */
const NEWER_RETRY_MS = 5 * MINUTE_MS;

export interface EffectRunnerParts {
  readonly store: EventStore;
  readonly queue: Pick<EffectQueue, 'claim' | 'extend' | 'putBack'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who makes which calls; a kind is of one of them. */
  readonly families: readonly EffectFamily[];
  /** Told after the commit, for the metrics. */
  readonly onEnded?: (kind: string, state: NextState['state']) => void;
  readonly wallTime?: WallTime;
}

/** SQLSTATE class 22: what the provider showed is no text or number that the database takes. */
const isUnstorable = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^22\w{3}$/.test(error.code);

const isFinal = (error: unknown): error is Error =>
  error instanceof AssertionFailed || error instanceof Rejection ||
  error instanceof ReservationTaken ||
  (error instanceof Error && isUnstorable(error));

const nothing = (): Promise<void> => Promise.resolve();

interface Run {
  readonly job: EffectJob;
  readonly loaded: LoadedCall;
  readonly metadata: EventMetadata;
  /** Whether a write may have left for the provider. */
  readonly mayHaveSent: () => boolean;
  /** A write leaves now. */
  readonly sends: () => void;
}

/** Found in the middle of a call, of which nobody knows what came. */
const wasCalling = ({ found }: EffectJob): boolean => found === 'calling';

const stuckBy = (error: unknown, { loaded, mayHaveSent }: Run): EndedCall => ({
  next: { state: 'stuck' },
  note: error instanceof Error ? error.message : String(error),
  record: async (step) => {
    if (error instanceof ReservationTaken) await loaded.recordTaken?.(step, error);
    if (mayHaveSent()) await loaded.recordStuck?.(step);
  },
});

/**
 * Runs effect jobs: the claim has committed `calling`; then the call; then what it showed and what
 * becomes of the job, in one step. Whatever happens between, the job is found and looked up.
 */
export class EffectRunner {
  private readonly claims: HeldClaims;
  private readonly wallTime: WallTime;

  constructor(private readonly parts: EffectRunnerParts) {
    const { queue, logger } = parts;
    this.wallTime = parts.wallTime ?? wallTime;
    this.claims = new HeldClaims(
      (jobs) => queue.extend(jobs),
      (err) => logger.warn({ err }, 'claims could not be extended'),
      this.wallTime,
    );
  }

  /** `load`: what is under way here already, by account. */
  async claim(limit: number, load?: AccountLoad): Promise<readonly EffectJob[]> {
    const claimedAtMs = this.wallTime.nowMs();
    const jobs = await this.parts.queue.claim(this.parts.clock.now(), limit, load);
    for (const job of jobs) this.claims.add(job, claimedAtMs);
    return jobs;
  }

  /** Rejects when the database fails: the claim then lapses, and the job is looked up. */
  async run(job: EffectJob): Promise<void> {
    let mayHaveSent = wasCalling(job);
    try {
      const loaded = await this.load(job);
      const metadata = {
        correlationId: loaded.correlationId, causationId: job.jobId, actor: 'provider',
        traceparent: null,
      };
      const run: Run = {
        job, loaded, metadata, mayHaveSent: () => mayHaveSent, sends: () => (mayHaveSent = true),
      };
      await this.commit(run, await this.make(run));
    } catch (error) {
      if (errorKind(error) === 'newer') return await this.leave(job, mayHaveSent, error);
      if (!(error instanceof StepSuperseded) && !(error instanceof ClaimLapsed)) throw error;
      this.parts.logger.warn({ jobId: job.jobId, err: error }, 'the job went to another worker');
    } finally {
      this.claims.remove(job);
    }
  }

  stop(): void {
    this.claims.stop();
  }

  private async load(job: EffectJob): Promise<LoadedCall> {
    const family = this.parts.families.find(({ kinds }) => kinds.includes(job.kind));
    if (family) return family.load(job);
    throw new WrittenByNewerRelease(`this release makes no call of the kind '${job.kind}'`);
  }

  /**
   * Only a newer release can read what the call is for. One that was not begun is looked at again,
   * and has had no try; one that may have been made is found as that when its claim lapses.
   */
  private async leave(job: EffectJob, mayHaveSent: boolean, error: unknown): Promise<void> {
    const { queue, clock, logger } = this.parts;
    const { jobId, kind, subjectId } = job;
    logger.error({ jobId, kind, subjectId, err: error }, 'a call waits for a newer release');
    if (!mayHaveSent) await queue.putBack(job, plusMs(clock.now(), NEWER_RETRY_MS));
  }

  /** Rejects when the claim is lost, or with what passes by itself, e.g. the database's absence. */
  private async make(run: Run): Promise<EndedCall> {
    const { job, loaded } = run;
    const stillHeld = (): void => {
      this.claims.assertHeld(job);
      run.sends();
    };
    try {
      return await loaded.make({ job, stillHeld, now: () => this.parts.clock.now() });
    } catch (error) {
      if (error instanceof ClaimLapsed) throw error;
      if (isProviderError(error)) {
        // The job no longer tells that an earlier call may have been made: the subject must.
        const record = (wasCalling(job) ? loaded.recordStuck : null) ?? nothing;
        return { ...outcomeOfProviderError(error), record };
      }
      if (errorKind(error) === 'transient' || errorKind(error) === 'newer') throw error;
      this.parts.logger.error({ jobId: job.jobId, kind: job.kind, err: error }, 'a call is stuck');
      return stuckBy(error, run);
    }
  }

  private async commit(run: Run, call: EndedCall): Promise<void> {
    try {
      await this.commitStep(run, call);
    } catch (error) {
      if (!isFinal(error)) throw error;
      // What the provider shows cannot be taken in: a bug, or nothing we can decide on or store.
      const { jobId, kind } = run.job;
      this.parts.logger.error({ jobId, kind, err: error }, 'a call is stuck');
      await this.commitStuck(run, stuckBy(error, run));
    }
  }

  /** A job whose end cannot be recorded with it ends all the same: else it is run for ever. */
  private async commitStuck(run: Run, call: EndedCall): Promise<void> {
    try {
      await this.commitStep(run, call);
    } catch (error) {
      if (!isFinal(error)) throw error;
      const { jobId, kind } = run.job;
      this.parts.logger.error({ jobId, kind, err: error }, 'what a stuck call means is not recorded');
      await this.commitStep(run, { ...call, record: nothing });
    }
  }

  private async commitStep(
    { job, loaded, metadata }: Run, { next, note, record }: EndedCall,
  ): Promise<void> {
    const { store, clock, logger } = this.parts;
    const { jobId, kind, subjectId, claim } = job;
    const waitMs = next.state === 'waiting'
      ? waitAfterTry(job.tries, loaded.mostWaitMs ?? null) : null;
    const state = next.state === 'waiting' && waitMs === null ? 'stuck' : next.state;
    const dueAt = next.state === 'waiting' && waitMs !== null
      ? plusMs(clock.now(), Math.max(waitMs, next.afterMs)) : null;
    await store.step(metadata, async (step) => {
      await record(step);
      step.effectEnded({ jobId, claim, state, dueAt, note: storableText(note, MAX_NOTE) });
    });
    const level = state === 'stuck' ? 'error' : state === 'waiting' ? 'warn' : 'debug';
    logger[level]({ jobId, kind, subjectId, state, note }, 'a call ended');
    this.parts.onEnded?.(kind, state);
  }
}
