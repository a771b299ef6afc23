import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '#testing';
import type { RunningApp } from '../infra/apps.mjs';
import type { RunningKafka } from '../infra/kafka.mjs';
import type { RunningPostgres } from '../infra/postgres.mjs';
import type { Stack } from '../stack/stack.js';
import { untilAtWork } from './fulfilment.js';
import { type KillDeed, ProviderFaults } from './deeds.js';
import type { KillPoint, KillPoints } from './kill-points.js';
import { killEveryProcess, killOneSession } from './postgres-kills.js';
import type { ReactionFaults } from './reaction-faults.js';
import { setRelayBack } from './relay-setback.js';
import {
  type AppVictim,
  type KillPlan,
  MAX_DOWN_MS,
  type Schedule,
  type Victim,
} from './schedule.js';

/** The servers of this run that may be killed. */
export interface KillableServers {
  readonly postgres: RunningPostgres;
  readonly kafka: RunningKafka;
}

/** The objects by which reaction failures and kill points are controlled in the apps. */
export interface Planted {
  readonly reactions: ReactionFaults;
  readonly points: KillPoints;
}

const RESTART_WITHIN_MS = 120_000;
const WAIT_MS = 50;
/**
 * The number of faults after which those that have affected no request yet are cleared. Otherwise
 * they would accumulate and all affect the last order.
 */
const FAULTS_WAITING = 5;
/**
 * The maximum number of overdue kills in a group. With more, the run waits before the next step
 * begins.
 */
const MAX_OVERDUE = 2;
/**
 * How long the run waits until an app reaches the armed kill point. All work may stop this long
 * while a server is unavailable.
 */
const REACHED_WITHIN_MS = 20_000;
/**
 * The duration of a suspension. It is longer than the claim of a job (15 seconds) and the lease of
 * a loop (9 seconds).
 */
const SUSPENDED_MS = 17_000;
const SUSPENSION_TRIES = 3;

/**
 * Restarts an app. If the start fails because a server is unavailable, repeats it, as a process
 * supervisor would.
 */
const restartSurely = (one: { restart(): Promise<void> }): Promise<boolean> =>
  waitFor(
    async () => {
      await one.restart();
      return true;
    },
    { timeoutMs: RESTART_WITHIN_MS, everyMs: 300 },
  );

/** Sends a signal to a process; returns false if the process has ended. */
const signal = (pid: number | undefined, name: NodeJS.Signals): boolean => {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
};

export class Trouble {
  private stopped = false;
  private isHalfway = false;
  private steps = 0;
  private readonly done = new Map<readonly KillPlan[], number>();
  private running: Promise<unknown> = Promise.resolve();
  /** The kills and suspensions that were due so far, and whether they have happened. */
  readonly kills: KillDeed[] = [];
  readonly faults: ProviderFaults;
  private added = 0;
  /** How many events the relay publishes again because its cursor was moved back; null if never. */
  setBack: number | null = null;

  constructor(
    private readonly stack: Stack,
    private readonly servers: KillableServers | null,
    private readonly planted: Planted,
    private readonly schedule: Schedule,
  ) {
    this.faults = new ProviderFaults(stack.sandbox);
  }

  start(): void {
    const { kills } = this.schedule;
    // The groups of kills run concurrently, so that a server may be killed while an app is
    // starting.
    this.running = Promise.all([
      ...Object.values(kills).map((plans) => this.killOn(plans)),
      this.faultOn(),
      this.publishAgain(),
    ]);
    this.running.catch(() => undefined); // `ended` and `stop` await `running` and throw its error.
  }

  /**
   * Reports that a step of the load begins. Resolves when few kills are overdue, so that each kill
   * interrupts the steps for which it was planned.
   */
  async step(count: number): Promise<void> {
    this.steps = Math.max(this.steps, count);
    const isLate = (plans: readonly KillPlan[]): boolean =>
      this.dueOf(plans) - (this.done.get(plans) ?? 0) > MAX_OVERDUE;
    while (!this.stopped && Object.values(this.schedule.kills).some(isLate)) {
      await Promise.race([this.running, sleep(WAIT_MS)]);
    }
  }

  halfway(): void {
    this.isHalfway = true;
  }

  /**
   * Waits until every kill and fault of the schedule has happened.
   */
  async ended(): Promise<void> {
    while (!this.isOver()) await Promise.race([this.running, sleep(WAIT_MS)]);
  }

  /** Whether every kill and fault of the schedule has happened. */
  isOver(): boolean {
    const { kills, faults } = this.schedule;
    return (
      this.added >= faults.length &&
      Object.values(kills).every((plans) => (this.done.get(plans) ?? 0) >= plans.length)
    );
  }

  /** Ends the faults and waits until everything that was killed runs again. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    this.planted.reactions.heal();
    const { apps, fulfilment } = this.stack;
    await this.faults.clear();
    for (const app of [...apps, ...(fulfilment === null ? [] : [fulfilment])]) {
      if (!app.isRunning()) await restartSurely(app);
    }
  }

  private dueOf(plans: readonly KillPlan[]): number {
    return plans.filter(({ atStep }) => atStep <= this.steps).length;
  }

  private async killOn(plans: readonly KillPlan[]): Promise<void> {
    for (const [index, plan] of plans.entries()) {
      while (!this.stopped && this.steps < plan.atStep) await sleep(WAIT_MS);
      if (this.stopped) return;
      this.kills.push({ plan, isDone: await this.execute(plan) });
      this.done.set(plans, index + 1);
    }
  }

  /** Executes a kill or suspension. Returns false if it was not done, or not during work. */
  private execute(plan: KillPlan): Promise<boolean> {
    if ('point' in plan) return this.killAt(plan);
    return 'suspended' in plan ? this.suspendSurely(plan.suspended) : this.kill(plan);
  }

  private async kill({
    victim,
    afterMs,
    downMs,
  }: Extract<KillPlan, { victim: Victim }>): Promise<boolean> {
    const { servers, stack } = this;
    await sleep(afterMs);
    if (victim === 'session') return killOneSession(stack.databases.orchestrator, afterMs);
    if (victim === 'postgres' || victim === 'kafka') {
      if (servers === null) return false;
      if (victim === 'postgres') await killEveryProcess(servers.postgres, stack.databases.sandbox);
      else await servers.kafka.kill9();
      await sleep(downMs);
      await restartSurely(servers[victim]);
      return true;
    }
    const app = this.appOf(victim);
    const isAtWork = victim !== 'fulfilment' || (await this.untilFulfilmentWorks(afterMs));
    const isRunning = app.isRunning();
    await app.kill9();
    await sleep(downMs);
    await restartSurely(app);
    return isRunning && isAtWork;
  }

  /**
   * Waits until an app was killed at the kill point, and restarts the app. Returns false if no app
   * reaches the point in time.
   */
  private async killAt({
    point,
    nth,
    downMs,
  }: Extract<KillPlan, { point: KillPoint }>): Promise<boolean> {
    const victim = (await this.victimAt(point, nth)) ?? (await this.victimAt(point, 1));
    if (victim === null) return false;
    const app = this.stack.apps.find(({ pid }) => pid === victim);
    if (app === undefined) throw new Error(`no app has the process id ${victim}`);
    await app.exited();
    await sleep(downMs);
    await restartSurely(app);
    return true;
  }

  /** The id of the process that was killed at the point; null if none has reached it in time. */
  private async victimAt(point: KillPoint, nth: number): Promise<number | null> {
    const { points } = this.planted;
    points.arm(point, nth);
    const untilMs = Date.now() + REACHED_WITHIN_MS;
    while (points.victim() === null && Date.now() < untilMs) await sleep(WAIT_MS);
    points.disarm();
    // Waits, because an app may have read the armed point just before it was disarmed.
    await sleep(WAIT_MS);
    return points.victim();
  }

  /**
   * Suspends an app until other processes have taken over its work, and then lets it continue.
   * Returns false if the app has ended.
   */
  private async suspend(victim: AppVictim): Promise<boolean> {
    const { pid } = this.appOf(victim);
    if (!signal(pid, 'SIGSTOP')) return false;
    await sleep(SUSPENDED_MS);
    // Returns false if the app was killed meanwhile.
    return signal(pid, 'SIGCONT');
  }

  /** Suspends an app. If the app is killed meanwhile, repeats this with the restarted app. */
  private async suspendSurely(victim: AppVictim): Promise<boolean> {
    for (let tries = 0; tries < SUSPENSION_TRIES && !this.stopped; tries += 1) {
      if (await this.suspend(victim)) return true;
      await sleep(MAX_DOWN_MS);
    }
    return false;
  }

  /** The running process of this name. With shape `one`, each process is in both lists. */
  private appOf(victim: AppVictim | 'fulfilment'): RunningApp {
    const { apis, workers, fulfilment } = this.stack;
    const list = victim.startsWith('worker') ? workers : apis;
    const app = victim === 'fulfilment' ? fulfilment : list[Number(victim.at(-1))];
    if (!app) throw new Error(`there is no ${victim}`);
    return app;
  }

  /**
   * Waits until the fulfilment service is handling an event. The service is mostly idle, so a kill
   * at a random time would rarely interrupt its work. Returns false if it handles none in time.
   */
  private async untilFulfilmentWorks(afterMs: number): Promise<boolean> {
    const { fulfilment: url } = this.stack.databases;
    return url !== null && untilAtWork(url, () => this.stopped, afterMs);
  }

  private async faultOn(): Promise<void> {
    for (const plan of this.schedule.faults) {
      while (!this.stopped && this.steps < plan.atStep) await sleep(WAIT_MS);
      if (this.stopped) return;
      if (this.added % FAULTS_WAITING === 0) await this.faults.clear();
      await this.faults.add(plan);
      this.added += 1;
    }
  }

  /**
   * Moves the relay's cursor back once, when half of the orders are placed. If it were moved back
   * later, the repeated publishing would hide messages that the relay had lost.
   */
  private async publishAgain(): Promise<void> {
    while (!this.stopped && !this.isHalfway) await sleep(WAIT_MS);
    this.setBack = await setRelayBack(this.stack.databases.orchestrator, () => this.stopped);
  }
}
