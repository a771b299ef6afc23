import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { AlreadyAnswered, ReservationTaken, StepConflict } from '#log';
import { type Clock, DAY_MS, msOf, Rejection } from '#kernel';
import { CLOCK, type Logger, LOGGER, Problem } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { type DayUse, type Exceeded, giveBackUse, takeUse } from './daily-use.js';

/** Money that would be moved. */
export interface Movement {
  readonly operation: DayUse['operation'];
  readonly amountMinor: number;
  readonly currency: string;
  /** Of a debit. */
  readonly mandateId?: string;
}

/** Counts what a request moves, before it is committed. Throws `Problem` 422, 429. */
export interface Meter {
  readonly count: (movement: Movement) => Promise<void>;
}

/** Nothing was committed, for certain. After all else it stays counted: it may have been. */
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

/** Names the limit: what is beyond it by itself will never do, all else does on another day. */
const problemOf = (
  { operation }: DayUse,
  { holder, unit, used, usedBefore, daily }: Exceeded,
  retryAfter: number,
): Problem => {
  const [kind, of] = unit === 'count' ? ['count', ''] : ['amount', ` ${unit} in minor units`];
  const limit = `${holder}.${operation}.${kind}`;
  const told = `the daily limit ${limit} is ${daily}${of}`;
  const errors = [{ code: limit, detail: `${usedBefore} of ${daily}${of} are used today` }];
  if (used > daily) {
    return new Problem(422, 'limit_exceeded', `${told}: this is more`, { errors });
  }
  return new Problem(
    429,
    'limit_reached',
    `${told}, and ${usedBefore} are used: wait for a new day`,
    {
      errors,
      headers: { 'retry-after': String(retryAfter) },
    },
  );
};

/** What a key, a platform and a mandate may move in a day of business time (UTC). */
@Injectable()
export class DailyLimits {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * `work` counts what it decides on, as often as it decides anew. What is counted by then holds for
   * others at once, so that requests at the same time share one limit; it is given back where
   * nothing was committed.
   */
  async within<T>(caller: Caller, work: (meter: Meter) => Promise<T>): Promise<T> {
    let taken: DayUse | null = null;
    const giveBack = async (): Promise<void> => {
      if (taken !== null) await giveBackUse(this.pool, taken);
      taken = null;
    };
    const count = async (movement: Movement): Promise<void> => {
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
      // The caller is told of the refusal; that the use stays counted is told to us.
      if (isRefused(error)) {
        await giveBack().catch((err: unknown) =>
          this.logger.error({ err, taken }, 'a use of daily limits could not be given back'),
        );
      }
      throw error;
    }
  }
}
