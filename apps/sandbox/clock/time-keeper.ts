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

/** An idle process polls, because another process may have moved the clock or stored due work. */
const MAX_WAIT_MS = 5_000;
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
  private timerEndsMs = 0;
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
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Waits for work that has started; work that has not started remains in the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.turns.idle();
    await this.work.settled();
  }

  /** Moves the clock forward, stopping at every due instant. Concurrent moves run in sequence. */
  advance(ms: number): Promise<void> {
    return this.change(() =>
      this.whileMoving(async () => {
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
    return this.change(async () => {
      if (rate !== 1) this.clock.runUntil(await this.work.nextDue());
      await this.clock.setRate(rate);
      await this.followers.notify(this.clock.now());
    });
  }

  /** Changes the clock. The clock then runs on, even if the change failed. */
  private change(work: () => Promise<void>): Promise<void> {
    return this.turns.run(async () => {
      try {
        // Another process may have moved the clock.
        if (!this.clock.isHeld()) await this.clock.refresh();
        await work();
      } finally {
        await this.runDueWork();
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

  private async whileMoving(moves: () => Promise<void>): Promise<void> {
    this.moving = true;
    try {
      await moves();
    } finally {
      this.moving = false;
    }
  }

  private expect(at: Instant): void {
    if (this.nextAt !== null && at >= this.nextAt) return;
    this.nextAt = at;
    if (!this.moving) this.scheduleAt(at);
  }

  private scheduleAt(at: Instant): void {
    this.clock.runUntil(this.clock.rate() === 1 ? null : at);
    const leastMs = this.clock.rate() === 1 ? GATHER_MS : 0;
    this.runWithin(Math.max(Math.ceil(this.clock.wallMsUntil(at)), leastMs));
  }

  /**
   * Runs the due work after this time, or earlier if the timer is already set to an earlier time:
   * it may be the retry of failed work, or of a failed release of the clock.
   */
  private runWithin(ms: number): void {
    const endsMs = performance.now() + Math.min(ms, MAX_WAIT_MS);
    if (this.stopping || (this.timer !== null && this.timerEndsMs <= endsMs)) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerEndsMs = endsMs;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        void this.turns.run(() => this.runDueWork());
      },
      Math.min(ms, MAX_WAIT_MS),
    );
  }

  /** Waits for the next due instant, if there is one. */
  private async scheduleAfter(nextDue: () => Promise<Instant | null>): Promise<void> {
    this.nextAt = null;
    const due = await nextDue();
    // The result of the query may lack work that was scheduled while the query ran.
    this.nextAt = earliest([due, this.nextAt]);
    if (this.nextAt !== null) return this.scheduleAt(this.nextAt);
    this.clock.runUntil(null);
    this.runWithin(MAX_WAIT_MS);
  }

  /**
   * Runs the due work and waits for the next. The clock is held after a move; it is released first,
   * so that after a failure the retry releases it, too.
   */
  private async runDueWork(): Promise<void> {
    try {
      await this.releaseClock();
      if (this.stopping) return;
      await this.clock.refresh();
      if (this.clock.rate() === 1) {
        await this.scheduleAfter(() => this.work.begin(this.clock.now()));
        return;
      }
      await this.whileMoving(() => this.catchUp());
      await this.releaseClock();
      await this.scheduleAfter(() => this.work.nextDue());
    } catch (err) {
      if (this.stopping) return;
      this.logger.error({ err }, 'due work, or the release of the clock, failed; retrying shortly');
      this.runWithin(RETRY_AFTER_MS);
    }
  }

  private async releaseClock(): Promise<void> {
    if (!this.clock.isHeld()) return;
    if (this.clock.rate() !== 1) this.clock.runUntil(await this.work.nextDue());
    await this.clock.release();
  }

  /** At a rate other than 1, the clock stops at every due instant, as it does during a move. */
  private async catchUp(): Promise<void> {
    const until = this.clock.now();
    let next = await this.work.nextDue();
    while (next !== null && next <= until && !this.stopping) next = await this.stopAt(next);
  }
}
