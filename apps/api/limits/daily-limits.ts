import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { AlreadyAnswered, ReservationTaken, StepConflict } from '#log';
import { type Clock, DAY_MS, msOf, Rejection } from '#kernel';
import { CLOCK, type Logger, LOGGER, Problem } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { problem } from '../shared/error-codes.js';
import { type DayUse, type Exceeded, giveBackUse, takeUse } from './daily-use.js';

/** Money that a request would move. */
export interface Movement {
  readonly operation: DayUse['operation'];
  readonly amountMinor: number;
  readonly currency: string;
  /** The debited mandate; set only for a debit. */
  readonly mandateId?: string;
}

/**
 * Counts the amount of a request towards the daily limits before the commit; null: the request moves
 * no money. Throws `Problem` 422 or 429 if a limit would be exceeded.
 */
export interface Meter {
  readonly count: (movement: Movement | null) => Promise<void>;
}

/**
 * Whether the error proves that nothing was committed. After any other error the counted amount is
 * not subtracted.
 */
const isRefused = (error: unknown): boolean =>
  [Rejection, Problem, AlreadyAnswered, ReservationTaken, StepConflict].some(
    (kind) => error instanceof kind,
  );

const useOf = ({ platformId, keyPrefix }: Caller, movement: Movement, day: string): DayUse => {
  const { operation, amountMinor, currency, mandateId } = movement;
  const holders = [
    { holder: 'key', holderId: keyPrefix },
    { holder: 'platform', holderId: platformId },
    ...(mandateId === undefined ? [] : [{ holder: 'mandate', holderId: mandateId } as const]),
  ] as const;
  return {
    day,
    operation,
    uses: holders.flatMap((of) => [
      { ...of, unit: currency, used: amountMinor },
      { ...of, unit: 'count', used: 1 },
    ]),
  };
};

/**
 * The response when a limit is exceeded: 422 for an amount above the whole limit, otherwise 429,
 * because the request can be retried the next day, with the same key: the request may be the
 * repetition of a concurrent one that counted the rest of the limit and is being committed.
 */
const problemOf = (
  { operation }: DayUse,
  { holder, unit, used, usedBefore, daily }: Exceeded,
  retryAfter: number,
): Problem => {
  const [kind, of] = unit === 'count' ? ['count', ''] : ['amount', ` ${unit} in minor units`];
  const limit = `${holder}.${operation}.${kind}`;
  const text = `the daily limit ${limit} is ${daily}${of}`;
  const errors = [{ code: limit, detail: `${usedBefore} of ${daily}${of} are used today` }];
  if (used > daily)
    return problem('limit_exceeded', { detail: `${text}: the request exceeds it`, errors });
  const detail = `${text}, and ${usedBefore} are used: retry on the next day (UTC), with the same Idempotency-Key`;
  return problem('limit_reached', {
    detail,
    errors,
    headers: { 'retry-after': String(retryAfter) },
  });
};

/**
 * Limits the money that an API key, a platform or a mandate may move in a day of business time
 * (UTC).
 */
@Injectable()
export class DailyLimits {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs `work`, which counts the amount that it decides to move; when `work` decides again after a
   * conflict, the new amount replaces the counted one. Concurrent requests see a counted amount
   * immediately, so that together they stay within the limit. If nothing is committed, the amount
   * is subtracted.
   */
  async within<T>(caller: Caller, work: (meter: Meter) => Promise<T>): Promise<T> {
    let taken: DayUse | null = null;
    const giveBack = async (): Promise<void> => {
      if (taken !== null) await giveBackUse(this.pool, taken);
      taken = null;
    };
    const count = async (movement: Movement | null): Promise<void> => {
      if (movement === null) return giveBack();
      const now = this.clock.now();
      const use = useOf(caller, movement, now.slice(0, 10));
      if (JSON.stringify(use) === JSON.stringify(taken)) return;
      await giveBack();
      const exceeded = await takeUse(this.pool, use);
      if (exceeded === null) taken = use;
      else throw problemOf(use, exceeded, Math.ceil((DAY_MS - (msOf(now) % DAY_MS)) / 1_000));
    };
    try {
      return await work({ count });
    } catch (error) {
      // The caller gets the original error even if the subtraction fails in the database; the
      // amount then stays counted.
      if (isRefused(error)) {
        await giveBack().catch((err: unknown) =>
          this.logger.error(
            { err, taken },
            'the amount of a refused request could not be subtracted from the daily limits',
          ),
        );
      }
      throw error;
    }
  }
}
