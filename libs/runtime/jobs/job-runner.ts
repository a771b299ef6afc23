import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { assert, type EffectRequest, type Instant } from '#kernel';
import { errorKind, type JobClaim, StepSuperseded } from '#log';
import { failActiveSpan, inSpan, isTracing, type Logger } from '#platform';
import { backoffMs, FOR_NEWER_RELEASE_MS } from './backoff.js';
import { CLAIM_MS } from './claim-ms.js';
import { HeldClaims, type WallTime, wallTime } from './held-claims.js';
import { ClaimLapsed, type Job, type JobEnd, type JobKind } from './job.js';
import type { JobTable } from './job-table.js';
import { isTimed, LANE_NAMES, type LaneName, Lanes } from './lanes.js';

const DRAINED_EVERY_MS = 5;
/** The pause between two attempts to give back a claim. */
const GIVE_BACK_EVERY_MS = 500;

/**
 * How a run ended: with a new state of the job, or without one because the run was superseded or
 * failed.
 */
type Outcome = 'done' | 'waiting' | 'stuck' | 'superseded' | 'failed';

export interface JobRunnerParts {
  readonly table: Pick<JobTable, 'claim' | 'extend' | 'end' | 'failed' | 'giveBack'>;
  readonly logger: Logger;
  /** The current business time; null while this process must not do timed work. */
  readonly now: () => Instant | null;
  readonly wallTime?: WallTime;
  /** Called after each run, for the metrics. */
  readonly onEnded?: (kind: string, outcome: Outcome) => void;
}

const outcomeOf = (end: JobEnd | void): Outcome => {
  if (!end || end.next === 'done') return 'done';
  return end.next === 'recorded' ? end.state : 'waiting';
};

/**
 * Claims and runs jobs of the registered kinds; jobs of other kinds are left to processes that have
 * registered those kinds. If a run fails, the job is claimed again after the claim has expired.
 */
export class JobRunner {
  readonly lanes: Lanes;
  private readonly kinds = new Map<string, JobKind>();
  private readonly claims: HeldClaims;
  private readonly wallTime: WallTime;
  /**
   * The lanes in which jobs may be waiting in the database because no slot was free. For such a
   * lane this process reserves no slot for the jobs of its own steps, because they would always
   * precede the waiting jobs. A lane is removed when a claim leaves free slots in it.
   */
  private readonly queued = new Set<LaneName>(LANE_NAMES);

  /** `onRoom` is called when a slot may have become free for a job that was skipped. */
  constructor(
    private readonly parts: JobRunnerParts,
    onRoom?: () => void,
  ) {
    this.wallTime = parts.wallTime ?? wallTime;
    this.lanes = new Lanes(onRoom, () => this.wallTime.nowMs());
    this.claims = new HeldClaims(
      (jobs) => parts.table.extend(jobs),
      (err) => parts.logger.warn({ err }, 'claims of jobs could not be extended'),
      this.wallTime,
    );
  }

  register(...kinds: readonly JobKind[]): void {
    for (const one of kinds) {
      assert(!this.kinds.has(one.kind), `no two job kinds are called '${one.kind}'`);
      this.kinds.set(one.kind, one);
    }
  }

  names(): readonly string[] {
    return [...this.kinds.keys()];
  }

  /**
   * Claims due jobs for which there are free slots. The caller must run all of them. `most` also
   * limits their number.
   */
  async claim(most = Infinity): Promise<readonly Job[]> {
    const { table, now } = this.parts;
    const rooms = this.lanes
      .rooms()
      .map(({ lane, room }) => ({ lane, room: Math.min(room, most) }));
    if (rooms.every(({ room }) => room <= 0)) return [];
    const claimedAtMs = this.wallTime.nowMs();
    const at = now();
    const kinds = [...this.kinds.values()]
      .filter(({ lane }) => at !== null || !isTimed(lane))
      .map(({ kind, lane }) => ({ kind, lane }));
    const jobs = await table.claim({ now: at, kinds, rooms, load: this.lanes.load() });
    for (const job of jobs) {
      this.claims.add(job, claimedAtMs);
      this.lanes.begin(this.placeOf(job));
    }
    for (const { lane } of rooms) {
      if (this.lanes.isFull(lane)) this.queued.add(lane);
      else this.queued.delete(lane);
    }
    return jobs;
  }

  /**
   * Reserves a slot for a request that a step of this process is about to commit. After a
   * reservation the caller must call `release` or `run`. Null if the request must wait in the
   * database until a worker claims it.
   */
  reserve({ kind, jobId: key, accountId }: EffectRequest): JobClaim | null {
    const lane = this.kinds.get(kind)?.lane;
    if (lane === undefined || isTimed(lane) || this.queued.has(lane)) return null;
    const place = { lane, accountId };
    if (!this.lanes.hasRoom(place)) {
      this.queued.add(lane);
      return null;
    }
    const claim = randomUUID();
    this.claims.add({ kind, key, claim }, this.wallTime.nowMs());
    this.lanes.begin(place);
    return { claim, claimMs: CLAIM_MS };
  }

  /** Frees a reserved slot. */
  release({ kind, jobId: key, accountId, claim }: EffectRequest & JobClaim): void {
    this.claims.remove({ kind, key, claim });
    this.lanes.end(this.placeOf({ kind, accountId }));
  }

  /**
   * Frees a reserved slot if it is unknown whether its request was committed. A committed job becomes
   * ready again. Otherwise the next run would find it `running`, and would not send a request that
   * may have been sent. Tries until the claim expires, because the commit may still arrive.
   */
  async giveBack(call: EffectRequest & JobClaim): Promise<void> {
    const { kind, jobId: key, claim } = call;
    const job = { kind, key, claim };
    try {
      while (this.claims.isHeld(job)) {
        if (await this.isGivenBack(job)) return;
        await this.wallTime.sleep(GIVE_BACK_EVERY_MS);
      }
    } finally {
      this.release(call);
    }
  }

  /** Rejects if the database fails: then the claim expires, and the job is run again. */
  async run(job: Job): Promise<void> {
    try {
      await this.runTraced(job);
    } finally {
      this.claims.remove(job);
      this.lanes.end(this.placeOf(job));
    }
  }

  /** Whether a slot is reserved or in use. */
  get isInUse(): boolean {
    return this.lanes.isInUse;
  }

  /** Resolves when no slot is reserved or in use. */
  async drained(): Promise<void> {
    while (this.isInUse) await setTimeout(DRAINED_EVERY_MS);
  }

  stop(): void {
    this.claims.stop();
  }

  private async isGivenBack(job: Pick<Job, 'kind' | 'key' | 'claim'>): Promise<boolean> {
    const { table, logger } = this.parts;
    try {
      return await table.giveBack(job);
    } catch (err) {
      const { kind, key } = job;
      logger.warn({ err, kind, key }, 'the claim of a job could not be given back: trying again');
      return false;
    }
  }

  private async runTraced(job: Job): Promise<void> {
    if (!isTracing()) return this.runToEnd(job);
    const { kind, subjectId, attempts } = job;
    const parent = await this.traceparentOf(job);
    const attributes = {
      'job.kind': kind,
      'job.attempts': attempts,
      ...(subjectId === null ? {} : { 'job.subject': subjectId }),
    };
    return inSpan({ name: `job ${kind}`, kind: 'consumer', parent, attributes }, () =>
      this.runToEnd(job),
    );
  }

  /** A trace that cannot be read must not keep the job from running. */
  private async traceparentOf(job: Job): Promise<string | null> {
    try {
      return (await this.kindOf(job).traceparentOf?.(job)) ?? null;
    } catch {
      return null;
    }
  }

  private async runToEnd(job: Job): Promise<void> {
    const { table, logger, onEnded } = this.parts;
    const { kind, key } = job;
    try {
      const end = await this.kindOf(job).run(job, { stillHeld: () => this.claims.assertHeld(job) });
      if (end?.next === 'later' && end.isAccountHeld === true) {
        this.lanes.hold(this.placeOf(job), end.waitMs);
      }
      if (end) await table.end(job, end);
      onEnded?.(kind, outcomeOf(end));
    } catch (err) {
      const isAnothers = err instanceof StepSuperseded || err instanceof ClaimLapsed;
      onEnded?.(kind, isAnothers ? 'superseded' : 'failed');
      if (isAnothers)
        return logger.debug({ err, kind, key }, 'another worker has claimed this job');
      failActiveSpan(err instanceof Error ? err : 'unknown');
      logger.error({ err, kind, key, attempts: job.attempts }, 'a job has failed');
      if (this.kindOf(job).afterFailure === 'lapse') return;
      const waitMs = errorKind(err) === 'newer' ? FOR_NEWER_RELEASE_MS : backoffMs(job.attempts);
      await table.failed(job, waitMs, err instanceof Error ? err.message : String(err));
    }
  }

  private placeOf(
    job: Pick<Job, 'kind' | 'accountId'>,
  ): Pick<JobKind, 'lane'> & Pick<Job, 'accountId'> {
    return { lane: this.kindOf(job).lane, accountId: job.accountId };
  }

  private kindOf({ kind }: Pick<Job, 'kind'>): JobKind {
    const known = this.kinds.get(kind);
    assert(known, `the kind '${kind}' is registered`);
    return known;
  }
}
