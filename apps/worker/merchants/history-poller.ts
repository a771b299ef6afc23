import { assert, type Clock, type Instant, plusMs } from '#kernel';
import type { HeldLease } from '#kafka';
import {
  afterWindow,
  beginRound,
  type Day,
  type HistoryWindow,
  type MerchantMode,
  nextRoundAt,
  nextWindow,
  retryRoundAt,
} from '#onboarding';
import { isProviderError, type Onboarding, type ProviderError } from '#psp';
import type { Logger } from '#platform';
import type { HistoryRows, RowOutcome } from './history-rows.js';
import type { HistoryPlan, HistoryWatermarks } from './history-watermarks.js';
import type { UnknownCalls } from './unknown-calls.js';

export interface HistoryPollerParts {
  readonly mode: MerchantMode;
  readonly client: Pick<Onboarding, 'statusHistory'>;
  readonly watermarks: HistoryWatermarks;
  readonly rows: Pick<HistoryRows, 'observe'>;
  readonly unknownCalls: UnknownCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A random number from 0 to 1, which spreads the polls of several environments. */
  readonly jitter: () => number;
  /** Called after the read of each window (a period of the history), for the metrics. */
  readonly onWindow?: (outcomes: readonly RowOutcome[]) => void;
  readonly onRound?: (outcome: 'done' | 'failed') => void;
}

/** The lease for polling, and the check that this worker still holds it. */
type Held = Pick<HeldLease, 'token' | 'requireHeld'>;

/**
 * Polls the status history of one environment, day by day. The watermark moves past a day only when
 * all rows of that day are recorded. After a failure, polling resumes at the watermark; rows that
 * are already recorded change nothing. Only the holder of the lease polls.
 */
export class HistoryPoller {
  constructor(private readonly parts: HistoryPollerParts) {}

  async begin({ token }: Held): Promise<void> {
    const { watermarks, mode, clock } = this.parts;
    await watermarks.fence(mode, token, clock.now());
  }

  /**
   * Reads all periods of the status history that are due. @throws LeaseLost, and infrastructure
   * errors.
   */
  async round(held: Held, signal: AbortSignal): Promise<'more' | 'idle'> {
    const { watermarks, mode, clock, logger, jitter, onRound } = this.parts;
    const plan = (await watermarks.plans([mode])).get(mode);
    assert(
      plan,
      'the watermark of an environment is stored before the environment’s history is read',
    );
    if (clock.now() < plan.nextRoundAt) return 'idle';
    let failure: ProviderError | null = null;
    let isWhole = false;
    try {
      isWhole = await this.readWindows(plan, held, signal);
    } catch (error) {
      if (!isProviderError(error)) throw error;
      failure = error;
      logger.warn({ mode, err: error }, 'reading the status history failed and will be retried');
    }
    if (signal.aborted) return 'idle';
    const now = clock.now();
    const failures = isWhole ? 0 : plan.failures + 1;
    const next = isWhole
      ? nextRoundAt(now, jitter())
      : later(retryRoundAt(now, failures, jitter()), failure, now);
    await watermarks.endRound(mode, held.token, plan, { nextRoundAt: next, failures });
    onRound?.(isWhole ? 'done' : 'failed');
    return 'more';
  }

  /** Resolves to true if every row of every period was recorded. */
  private async readWindows(plan: HistoryPlan, held: Held, signal: AbortSignal): Promise<boolean> {
    const { clock, watermarks, mode, unknownCalls } = this.parts;
    let round = beginRound(plan.watermark, clock.now());
    let saved: Day = plan.watermark;
    let isWhole = true;
    let isSoughtFor = false;
    for (;;) {
      const window = nextWindow(round, clock.now());
      if (window === null || signal.aborted) break;
      held.requireHeld();
      const outcomes = await this.readWindow(window);
      const isObserved = !outcomes.includes('failed');
      isWhole &&= isObserved;
      if (outcomes.includes('unclaimed') && !isSoughtFor) {
        // The unclaimed company may have been created by one of our calls with an unknown result.
        await unknownCalls.searchNowForAll(mode, clock.now());
        isSoughtFor = true;
      }
      round = afterWindow(round, window, isObserved ? 'whole' : 'partly');
      if (round.watermark === saved) continue;
      // The move fails if an operator has moved the watermark back during the run: then the next
      // polling run starts immediately, at the operator's watermark.
      if (!(await watermarks.move(mode, held.token, saved, round.watermark))) break;
      saved = round.watermark;
    }
    return isWhole;
  }

  private async readWindow({ since, until }: HistoryWindow): Promise<readonly RowOutcome[]> {
    const { client, clock, rows, mode, logger, onWindow } = this.parts;
    const readAt = clock.now();
    const { changes, unreadable } = await client.statusHistory(since, until);
    if (unreadable > 0) {
      logger.error({ mode, day: since, unreadable }, 'rows of the status history cannot be read');
    }
    const outcomes: readonly RowOutcome[] = [
      ...(await rows.observe(mode, changes, readAt)),
      ...Array.from({ length: unreadable }, () => 'failed' as const),
    ];
    onWindow?.(outcomes);
    return outcomes;
  }
}

/**
 * Returns the planned time of the next poll, or the time in the provider's Retry-After header if
 * that is later.
 */
const later = (planned: Instant, failure: ProviderError | null, now: Instant): Instant => {
  const waitMs = failure?.kind === 'rate_limited' ? (failure.retryAfterMs ?? 0) : 0;
  const asked = plusMs(now, waitMs);
  return asked > planned ? asked : planned;
};
