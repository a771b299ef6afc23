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

/** How far the clock is moved at once, and how fast it runs, at the most. */
export const MAX_ADVANCE_MS = 3_660 * DAY_MS;
export const MAX_RATE = 1_000_000;

const LONGEST_TIMER_MS = 2_147_483_647;
const TRY_AGAIN_AFTER_MS = 1_000;

/**
 * Does what falls due. In real time it sleeps until the next due instant; moved or run at a rate,
 * the clock stops at each due instant until the work and every follower are done with it.
 */
@Injectable()
export class TimeKeeper
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly turns = new Serial();
  private timer: NodeJS.Timeout | null = null;
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
    void this.turns.run(() => this.fire());
  }

  /** A request that moves the clock ends at the next stop. */
  onModuleDestroy(): void {
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Finishes what was begun; what is due later stays in the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.turns.idle();
    await this.work.settled();
  }

  /** Moves the clock on, stopping at everything due on the way. Moves follow one another. */
  advance(ms: number): Promise<void> {
    return this.turns.run(() =>
      this.whileHeld(async () => {
        const target = plusMs(this.clock.now(), ms);
        let next = await this.stop(this.clock.now());
        while (!this.stopping && this.clock.now() < target) {
          next = await this.stop(next === null || next > target ? target : next);
        }
      }),
    );
  }

  /** From now on the clock runs at this rate: sandbox seconds per real second. */
  setRate(rate: number): Promise<void> {
    return this.turns.run(async () => {
      if (rate !== 1) this.clock.runUntil(await this.work.nextDue());
      await this.clock.setRate(rate);
      await this.followers.tell(this.clock.now());
      await this.arm();
    });
  }

  /** Stands at an instant until all is done there; returns the next due instant after it. */
  private async stop(at: Instant): Promise<Instant | null> {
    await this.clock.hold(at);
    for (;;) {
      const now = this.clock.now();
      await this.work.finish(now);
      const followersNext = await this.followers.tell(now);
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
      await this.letGo();
    }
  }

  /** The clock must not stand still for good because the database was away for a moment. */
  private async letGo(): Promise<void> {
    try {
      if (this.clock.rate() !== 1) this.clock.runUntil(await this.work.nextDue());
      await this.clock.release();
      await this.arm();
    } catch (err) {
      if (this.stopping) return;
      this.logger.error({ err }, 'the clock cannot run on: trying again shortly');
      this.timer = setTimeout(() => void this.turns.run(() => this.letGo()), TRY_AGAIN_AFTER_MS);
    }
  }

  private expect(at: Instant): void {
    if (this.nextAt !== null && at >= this.nextAt) return;
    this.nextAt = at;
    if (!this.moving) this.sleepUntil(at);
  }

  private sleepUntil(at: Instant): void {
    if (this.stopping) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.clock.runUntil(this.clock.rate() === 1 ? null : at);
    const ms = Math.min(Math.ceil(this.clock.wallMsUntil(at)), LONGEST_TIMER_MS);
    this.timer = setTimeout(() => void this.turns.run(() => this.fire()), ms);
  }

  /** Sleeps until the next due instant, if there is any. */
  private async arm(): Promise<void> {
    this.nextAt = null;
    const due = await this.work.nextDue();
    // Something may have been told of meanwhile, which that reading did not see.
    this.nextAt = earliest([due, this.nextAt]);
    if (this.nextAt !== null) this.sleepUntil(this.nextAt);
    else this.clock.runUntil(null);
  }

  private async fire(): Promise<void> {
    if (this.stopping) return;
    try {
      if (this.clock.rate() === 1) await this.work.begin(this.clock.now());
      else await this.whileHeld(() => this.catchUp());
      await this.arm();
    } catch (err) {
      this.logger.error({ err }, 'due work failed: trying again shortly');
      this.timer = setTimeout(() => void this.turns.run(() => this.fire()), TRY_AGAIN_AFTER_MS);
    }
  }

  /** At a rate other than real time every due instant is a stop, as when the clock is moved. */
  private async catchUp(): Promise<void> {
    const until = this.clock.now();
    let next = await this.work.nextDue();
    while (next !== null && next <= until && !this.stopping) next = await this.stop(next);
  }
}
