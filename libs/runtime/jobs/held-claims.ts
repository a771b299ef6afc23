import { CLAIM_MS } from './claim-ms.js';
import { ClaimLapsed, type Job } from './job.js';

/** An answer may take longer than this to reach the database: hold on in good time. */
const EXTEND_EVERY_MS = CLAIM_MS / 3;
/** A worker without an answer of the database for so long stops writing to the provider. */
const SAFE_MS = CLAIM_MS - 2_000;

type ClaimedJob = Pick<Job, 'kind' | 'key' | 'claim'>;

interface Held {
  readonly job: ClaimedJob;
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
 * The claims that this worker holds, extended while their runs are slow. A claim counts from before
 * the statement that got it, so we give it up before others can take it.
 */
export class HeldClaims {
  private readonly held = new Map<string, Held>();
  readonly stop: () => void;

  /** `extend`: answers the claims that are still ours. */
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

  /** Throws `ClaimLapsed` unless the job is certainly still ours. */
  assertHeld({ kind, key, claim }: ClaimedJob): void {
    const held = this.held.get(claim);
    if (held === undefined || held.safeUntilMs <= this.time.nowMs()) {
      throw new ClaimLapsed(`the claim on ${kind} of ${key} has run out`);
    }
  }

  /** Extends what has been held for a while; most runs are over before that. */
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
