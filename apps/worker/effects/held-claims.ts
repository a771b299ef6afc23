import { ClaimLapsed, type EffectJob } from './effect-job.js';
import { CLAIM_MS } from './effect-queue.js';

/** An answer may take longer than this to reach the database: hold on in good time. */
const EXTEND_EVERY_MS = CLAIM_MS / 3;
/** Whoever has not heard from the database for so long stops writing to the provider. */
const SAFE_MS = CLAIM_MS - 2_000;

interface Held {
  readonly job: EffectJob;
  safeUntilMs: number;
}

/** Wall time of this process: monotonic milliseconds, and work that is done again and again. */
export interface WallTime {
  nowMs(): number;
  /** Answers what ends it. */
  every(ms: number, work: () => void): () => void;
}

export const wallTime: WallTime = {
  nowMs: () => performance.now(),
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * The claims that this worker holds, extended while their calls are slow. A claim counts from
 * before the statement that got it, so we give it up before others can take it.
 */
export class HeldClaims {
  private readonly held = new Map<string, Held>();
  readonly stop: () => void;

  constructor(
    private readonly extend: (jobs: readonly EffectJob[]) => Promise<readonly string[]>,
    onError: (error: unknown) => void,
    private readonly time: WallTime = wallTime,
  ) {
    this.stop = time.every(EXTEND_EVERY_MS / 2, () => void this.hold().catch(onError));
  }

  add(job: EffectJob, claimedAtMs: number): void {
    this.held.set(job.jobId, { job, safeUntilMs: claimedAtMs + SAFE_MS });
  }

  remove(job: EffectJob): void {
    this.held.delete(job.jobId);
  }

  /** Throws `ClaimLapsed` unless the job is certainly still ours. */
  assertHeld(job: EffectJob): void {
    const held = this.held.get(job.jobId);
    if (held === undefined || held.safeUntilMs <= this.time.nowMs()) {
      throw new ClaimLapsed(`the claim on job ${job.jobId} has run out`);
    }
  }

  /** Extends what has been held for a while; most calls are over before that. */
  async hold(): Promise<void> {
    const askedAtMs = this.time.nowMs();
    const slow = [...this.held.values()].filter(
      ({ safeUntilMs }) => safeUntilMs - SAFE_MS <= askedAtMs - EXTEND_EVERY_MS,
    );
    if (slow.length === 0) return;
    const still = new Set(await this.extend(slow.map(({ job }) => job)));
    for (const held of slow) {
      if (still.has(held.job.jobId)) held.safeUntilMs = askedAtMs + SAFE_MS;
    }
  }
}
