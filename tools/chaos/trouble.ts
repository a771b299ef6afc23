import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '#testing';
import type { RunningApp } from '../infra/apps.mjs';
import type { RunningKafka } from '../infra/kafka.mjs';
import type { RunningPostgres } from '../infra/postgres.mjs';
import type { Stack } from '../stack/stack.js';
import { killEveryProcess, killOneSession } from './postgres-kills.js';
import { untilAtWork } from './fulfilment.js';
import type { ReactionFaults } from './reaction-faults.js';
import { setRelayBack } from './relay-setback.js';
import {
  APPS,
  type AppVictim,
  INFRA,
  type KillPlan,
  OTHERS,
  planFaults,
  planKills,
  type Victim,
} from './scenario.js';

/** The servers of this run that may be killed. */
export interface KillableServers {
  readonly postgres: RunningPostgres;
  readonly kafka: RunningKafka;
}

const RESTART_WITHIN_MS = 120_000;
const WAIT_MS = 100;
/**
 * After this number of faults, the faults that have not hit a request yet are cleared. Otherwise
 * they would accumulate and all hit the last order.
 */
const FAULTS_WAITING = 5;

/**
 * Restarts an app; repeats a start that fails because a server is unavailable, as a process
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

/**
 * Executes the planned kills and faults until `stop`, which restarts everything that was killed.
 */
export class Trouble {
  private stopped = false;
  private isHalfway = false;
  private running: Promise<unknown> = Promise.resolve();
  readonly kills = new Map<Victim, number>();
  faults = 0;
  /** How many events the relay's cursor had passed when it was moved back; null if it was not. */
  setBack: number | null = null;

  constructor(
    private readonly stack: Stack,
    private readonly servers: KillableServers | null,
    private readonly reactions: ReactionFaults,
    private readonly seed: number,
  ) {}

  start(): void {
    // The kills and faults run concurrently: a server may die while an app is starting.
    this.running = Promise.all([
      this.killOn(planKills(this.seed, APPS[this.stack.shape])),
      this.killOn(planKills(this.seed, OTHERS)),
      this.servers === null ? null : this.killOn(planKills(this.seed, INFRA)),
      this.faultOn(),
      this.publishAgain(),
    ]);
    this.running.catch(() => undefined); // `stop` awaits `running` and throws its error.
  }

  /** Signals that half of the orders are placed. */
  halfway(): void {
    this.isHalfway = true;
  }

  /**
   * Waits until each app and each server that this run kills was killed at least once, so that the
   * remaining orders run after everything was killed and restarted.
   */
  async wasMet(): Promise<void> {
    const servers = this.servers === null ? [] : INFRA;
    const victims = [...APPS[this.stack.shape], ...OTHERS, ...servers];
    while (!victims.every((victim) => this.kills.has(victim))) {
      await Promise.race([this.running, sleep(WAIT_MS)]);
    }
  }

  /** Ends the faults and waits until everything that was killed runs again. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    this.reactions.heal();
    const { sandbox, apps, fulfilment } = this.stack;
    await sandbox.clearFaults();
    for (const app of [...apps, ...(fulfilment === null ? [] : [fulfilment])]) {
      if (!app.isRunning()) await restartSurely(app);
    }
  }

  private async killOn(plans: Iterable<KillPlan>): Promise<void> {
    for (const plan of plans) {
      await this.wait(plan.afterMs);
      if (this.stopped) return;
      await this.kill(plan);
      this.kills.set(plan.victim, (this.kills.get(plan.victim) ?? 0) + 1);
    }
  }

  private async kill({ victim, downMs }: KillPlan): Promise<void> {
    const { servers, stack } = this;
    if (victim === 'session') {
      await killOneSession(stack.databases.orchestrator);
      return;
    }
    if (victim === 'postgres' || victim === 'kafka') {
      if (servers === null) return;
      if (victim === 'postgres') await killEveryProcess(servers.postgres, stack.databases.sandbox);
      else await servers.kafka.kill9();
      await sleep(downMs);
      await restartSurely(servers[victim]);
      return;
    }
    const app = this.appOf(victim);
    if (victim === 'fulfilment') await this.untilFulfilmentWorks();
    await app.kill9();
    await sleep(downMs);
    await restartSurely(app);
  }

  /** With shape `one`, both lists contain the same processes. */
  private appOf(victim: AppVictim | 'fulfilment'): RunningApp {
    const { apis, workers, fulfilment } = this.stack;
    const list = victim.startsWith('worker') ? workers : apis;
    const app = victim === 'fulfilment' ? fulfilment : list[Number(victim.at(-1))];
    if (!app) throw new Error(`there is no ${victim}`);
    return app;
  }

  /**
   * Waits until the fulfilment service is handling events: the service is mostly idle, so a kill at
   * a random time would rarely interrupt its work.
   */
  private async untilFulfilmentWorks(): Promise<void> {
    const { fulfilment: url } = this.stack.databases;
    if (url !== null) await untilAtWork(url, () => this.stopped);
  }

  private async faultOn(): Promise<void> {
    for (const { afterMs, ...fault } of planFaults(this.seed)) {
      await this.wait(afterMs);
      if (this.stopped) return;
      if (this.faults % FAULTS_WAITING === 0) await this.stack.sandbox.clearFaults();
      await this.stack.sandbox.addFault(fault);
      this.faults += 1;
    }
  }

  /**
   * Moves the relay's cursor back once, when half of the orders are placed. If the cursor were
   * moved back later, the repeated publishing would hide messages that the relay had lost before.
   */
  private async publishAgain(): Promise<void> {
    while (!this.stopped && !this.isHalfway) await sleep(WAIT_MS);
    this.setBack = await setRelayBack(this.stack.databases.orchestrator, () => this.stopped);
  }

  private async wait(ms: number): Promise<void> {
    const untilMs = Date.now() + ms;
    while (!this.stopped && Date.now() < untilMs) await sleep(Math.min(WAIT_MS, ms));
  }
}
