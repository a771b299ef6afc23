import { setTimeout } from 'node:timers/promises';
import { CLAIM_MS } from './claim-ms.js';
import { ClaimLapsed, type Job } from './job.js';

/**
 * A claim that has been held for this long is extended, because the job's request may take longer
 * than a claim lasts.
 */
const EXTEND_EVERY_MS = CLAIM_MS / 3;
/**
 * A worker that has received no response from the database for this long sends no more writes to
 * the provider.
 */
const SAFE_MS = CLAIM_MS - 2_000;

type ClaimedJob = Pick<Job, 'kind' | 'key' | 'claim'>;

interface Held {
  readonly job: ClaimedJob;
  safeUntilMs: number;
}

/** The wall time of this process: a monotonic clock and a timer. */
export interface WallTime {
  nowMs(): number;
  /** Repeats `work`; returns a function that stops the repetition. */
  every(ms: number, work: () => void): () => void;
  sleep(ms: number): Promise<unknown>;
}

export const wallTime: WallTime = {
  nowMs: () => performance.now(),
  sleep: (ms) => setTimeout(ms),
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * The claims of this worker, which are extended if the runs of their jobs take long. Their duration
 * is counted from the start of the statement that acquired them, so this worker stops using a claim
 * before another worker can acquire it.
 */
export class HeldClaims {
  private readonly held = new Map<string, Held>();
  readonly stop: () => void;

  /** `extend` extends claims in the database and returns those that this worker still holds. */
  constructor(
    private readonly extend: (jobs: readonly ClaimedJob[]) => Promise<readonly string[]>,
    onError: (error: unknown) => void,
    private readonly time: WallTime = wallTime,
  ) {
    this.stop = time.every(EXTEND_EVERY_MS / 2, () => void this.hold().catch(onError));
  }

  add(job: ClaimedJob, claimedAtMs: number): void {
    this.held.set(job.claim, { job, safeUntilMs: claimedAtMs + SAFE_MS });
  }

  remove({ claim }: ClaimedJob): void {
    this.held.delete(claim);
  }

  /** False if the claim may have expired. */
  isHeld({ claim }: ClaimedJob): boolean {
    const held = this.held.get(claim);
    return held !== undefined && held.safeUntilMs > this.time.nowMs();
  }

  /** Throws `ClaimLapsed` if the claim may have expired. */
  assertHeld(job: ClaimedJob): void {
    if (this.isHeld(job)) return;
    throw new ClaimLapsed(`the claim on job ${job.kind} of ${job.key} has expired`);
  }

  /**
   * Extends the claims that this worker has held for a while. Most claims need no extension,
   * because most runs end earlier.
   */
  async hold(): Promise<void> {
    const askedAtMs = this.time.nowMs();
    const slow = [...this.held.values()].filter(
      ({ safeUntilMs }) => safeUntilMs - SAFE_MS <= askedAtMs - EXTEND_EVERY_MS,
    );
    if (slow.length === 0) return;
    const still = new Set(await this.extend(slow.map(({ job }) => job)));
    for (const held of slow) {
      if (still.has(held.job.claim)) held.safeUntilMs = askedAtMs + SAFE_MS;
    }
  }
}
