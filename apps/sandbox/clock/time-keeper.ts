import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DAY_MS, type Instant, plusMs } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { Wake } from '../storage/wake.js';
import { DueWork } from './due-work.js';
import { earliest } from './earliest.js';
import { Followers } from './followers.js';
import { SandboxClock } from './sandbox-clock.js';
import { Serial } from './serial.js';

/** The maximum time by which one request may advance the clock. */
export const MAX_ADVANCE_MS = 3_660 * DAY_MS;
export const MAX_RATE = 1_000_000;

const MAX_TIMER_MS = 2_147_483_647;
const RETRY_AFTER_MS = 1_000;
/** In real time, work that falls due within this period is done together. */
const GATHER_MS = 50;

/**
 * Runs the work that falls due. In real time this class waits for the next due instant. When the
 * clock is moved, or runs faster or slower than real time, the clock stops at each due instant
 * until the work and every follower are done.
 */
@Injectable()
export class TimeKeeper
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly turns = new Serial();
  private timer: NodeJS.Timeout | null = null;
  private retryTimer: NodeJS.Timeout | null = null;
  private nextAt: Instant | null = null;
  private moving = false;
  private stopping = false;

  constructor(
    private readonly clock: SandboxClock,
    private readonly work: DueWork,
    private readonly followers: Followers,
    private readonly wake: Wake,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wake.listen((at) => this.expect(at));
    void this.turns.run(() => this.runDueWork());
  }

  /** At shutdown, a move of the clock that is in progress ends at its next stop. */
  onModuleDestroy(): void {
    this.stopping = true;
    this.work.stop();
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
  }

  /** Waits for work that has started; work that has not started remains in the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.turns.idle();
    await this.work.settled();
  }

  /** Moves the clock forward, stopping at every due instant. Concurrent moves run in sequence. */
  advance(ms: number): Promise<void> {
    return this.turns.run(() =>
      this.whileHeld(async () => {
        const target = plusMs(this.clock.now(), ms);
        let next = await this.stopAt(this.clock.now());
        while (!this.stopping && this.clock.now() < target) {
          next = await this.stopAt(next === null || next > target ? target : next);
        }
      }),
    );
  }

  /** Sets the rate: sandbox seconds per real second. */
  setRate(rate: number): Promise<void> {
    return this.turns.run(async () => {
      try {
        if (rate !== 1) this.clock.runUntil(await this.work.nextDue());
        await this.clock.setRate(rate);
        await this.followers.notify(this.clock.now());
        await this.scheduleNext();
      } catch (error) {
        this.retry();
        throw error;
      }
    });
  }

  /**
   * Holds the clock at an instant until all work due at that instant is done; returns the next due
   * instant.
   */
  private async stopAt(at: Instant): Promise<Instant | null> {
    await this.clock.hold(at);
    for (;;) {
      const now = this.clock.now();
      await this.work.finish(now);
      const followersNext = await this.followers.notify(now);
      const ownNext = await this.work.nextDue();
      if (ownNext !== null && ownNext <= now && !this.stopping) continue;
      return earliest([ownNext, followersNext]);
    }
  }

  private async whileHeld(moves: () => Promise<void>): Promise<void> {
    this.moving = true;
    try {
      await moves();
    } finally {
      this.moving = false;
      await this.releaseClock();
    }
  }

  /**
   * Releases the clock, and retries after an error, so that a short database outage does not stop
   * the clock for good.
   */
  private async releaseClock(): Promise<void> {
    try {
      if (this.clock.rate() !== 1) this.clock.runUntil(await this.work.nextDue());
      await this.clock.release();
      await this.scheduleNext();
    } catch (err) {
      if (this.stopping) return;
      this.logger.error({ err }, 'the clock could not be released; retrying shortly');
      this.retry();
    }
  }

  /** Runs the due work again. Work that is scheduled meanwhile does not replace the retry. */
  private retry(): void {
    if (this.stopping) return;
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(
      () => void this.turns.run(() => this.runDueWork()),
      RETRY_AFTER_MS,
    );
  }

  private expect(at: Instant): void {
    if (this.nextAt !== null && at >= this.nextAt) return;
    this.nextAt = at;
    if (!this.moving) this.scheduleAt(at);
  }

  private scheduleAt(at: Instant): void {
    if (this.stopping) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.clock.runUntil(this.clock.rate() === 1 ? null : at);
    const leastMs = this.clock.rate() === 1 ? GATHER_MS : 0;
    const ms = Math.min(Math.max(Math.ceil(this.clock.wallMsUntil(at)), leastMs), MAX_TIMER_MS);
    this.timer = setTimeout(() => void this.turns.run(() => this.runDueWork()), ms);
  }

  /** Waits for the next due instant, if there is one. */
  private scheduleNext(): Promise<void> {
    return this.scheduleAfter(() => this.work.nextDue());
  }

  private async scheduleAfter(nextDue: () => Promise<Instant | null>): Promise<void> {
    this.nextAt = null;
    const due = await nextDue();
    // The result of the query may lack work that was scheduled while the query ran.
    this.nextAt = earliest([due, this.nextAt]);
    if (this.nextAt !== null) this.scheduleAt(this.nextAt);
    else this.clock.runUntil(null);
  }

  private async runDueWork(): Promise<void> {
    if (this.stopping) return;
    try {
      if (this.clock.rate() === 1) {
        // Does nothing unless the clock could not be released after a move.
        await this.clock.release();
        await this.scheduleAfter(() => this.work.begin(this.clock.now()));
        return;
      }
      await this.whileHeld(() => this.catchUp());
      await this.scheduleNext();
    } catch (err) {
      this.logger.error({ err }, 'due work failed; retrying shortly');
      this.retry();
    }
  }

  /** At a rate other than 1, the clock stops at every due instant, as it does during a move. */
  private async catchUp(): Promise<void> {
    const until = this.clock.now();
    let next = await this.work.nextDue();
    while (next !== null && next <= until && !this.stopping) next = await this.stopAt(next);
  }
}
