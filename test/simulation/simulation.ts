import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#kernel';
import type { Step } from '#log';
import { exists, paymentAggregate } from '#payment';
import { type Random, randomFrom } from '../../tools/chaos/random.js';
import { forgottenSagas, nextDutyMs } from './duties.js';
import { type FaultRates, NO_FAULTS } from './faults.js';
import { SimulatedConsole } from './console.js';
import { Network } from './network.js';
import { watchBlockedSagas, watchStuckCalls } from './ops.js';
import { OperatorLoad } from './operator-load.js';
import { whatIsAmiss } from './outcome.js';
import { SimulatedApiProcess } from './platform.js';
import { SimulatedBroker } from './ports/broker.js';
import { SimulatedDatabase, type WebhookRow } from './ports/database.js';
import { SimulatedApi } from './provider/api.js';
import type { SimulatedIntent } from './provider/intent.js';
import { LyingApi, type PlannedLie } from './provider/lies.js';
import { Refused, SimulatedProvider } from './provider/provider.js';
import { Safety } from './safety.js';
import type { OrderPlan } from './script.js';
import { BEGIN_MS, Process, Scheduler } from './scheduler.js';
import { simulatedLogger } from './simulated-logger.js';
import { OrderStory } from './story.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { SimulatedWorker, type WorkerParts } from './worker.js';

export interface SimulationOptions {
  /** The seed of all random choices, such as the schedule and the faults. */
  readonly seed: number;
  readonly script: readonly OrderPlan[];
  readonly rates: FaultRates;
  /**
   * Whether lost requests are excluded. An operator decides about lost refund requests, so the
   * final state would otherwise depend on the schedule.
   */
  readonly keepsRequests?: boolean;
  /** Whether the lines of the trace are stored; the hash of the trace is always computed. */
  readonly traced?: boolean;
}

const WORKERS = ['worker-1', 'worker-2'];
const MOST_TURNS = 60_000;
/** The maximum step by which time advances while a worker's clock is wrong. */
const LATER_MS = 60 * SECOND_MS;
/**
 * The time limit for all work to end, counted from the last change at the provider after the faults
 * have ended.
 */
const REST_WITHIN_MS = 45 * DAY_MS;

/** Simulates several orders until all work has ended. */
export class Simulation {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly provider: SimulatedProvider;
  readonly safety: Safety;
  readonly trace: string[] = [];
  turns = 0;
  private readonly random: Random;
  private readonly hash = createHash('sha256');
  private unhashed = '';
  private readonly api: LyingApi;
  private readonly webhooks: WebhookDelivery;
  private readonly apiProcess: SimulatedApiProcess;
  private readonly console: SimulatedConsole;
  readonly operators = new OperatorLoad({
    isLied: (orderId) => this.api.lies.has(orderId),
    whyNeedless: (refund) => this.safety.whyNeedless(refund),
    onViolation: (what) => this.safety.violated(what),
  });
  private readonly workers: SimulatedWorker[] = [];
  private readonly workerParts: WorkerParts;
  private readonly people = new Process('people');
  private readonly wires = new Process('wires');
  private readonly stories: readonly OrderStory[];
  private rates: FaultRates;
  private lastNewsMs = BEGIN_MS;
  private readonly healAtMs: number;

  constructor(private readonly options: SimulationOptions) {
    const { seed, script, rates } = options;
    this.random = randomFrom(seed, 'schedule');
    this.rates = rates;
    this.healAtMs = BEGIN_MS + this.random.int(1, 10 * 24) * HOUR_MS;
    const { random, wires, people } = this;
    const scheduler = new Scheduler(random, (process, label) => this.onTurn(process, label));
    this.scheduler = scheduler;
    const nowMs = (): number => scheduler.nowMs;
    this.safety = new Safety(
      () => this.database,
      () => this.provider,
    );
    const onCommit = (step: Step): void => {
      this.safety.onCommit(step);
      scheduler.news();
    };
    const accountIds = [...new Set(script.map(({ accountId }) => accountId))];
    this.database = new SimulatedDatabase(nowMs, onCommit, accountIds);
    const database = this.database;
    this.provider = new SimulatedProvider(nowMs, (event) => this.webhooks.deliver(event));
    this.api = new LyingApi({
      api: new SimulatedApi(this.provider, (mandateId, intent) =>
        this.debitMandate(mandateId, intent),
      ),
      provider: this.provider,
      nowMs,
      isReliable: () => this.rates === NO_FAULTS,
      planOf: (intent) => this.lieOf(intent),
      recorded: (besides) => this.recordedIntents(besides),
    });
    const network = new Network({
      scheduler,
      wires,
      rates: () => this.rates,
      keepsRequests: options.keepsRequests ?? false,
      safety: this.safety,
      kill: (process) => this.kill(process),
      provider: (accountId, request) => {
        const answer = this.api.answer(accountId, request);
        if (request.method !== 'GET') this.onNews();
        this.safety.onProvider(request, answer);
        return answer;
      },
    });
    const shared = { scheduler, database, network, rates: () => this.rates };
    const logger = simulatedLogger((line) => this.onLog(line), this.safety.onBug);
    const broker = new SimulatedBroker((message) => this.safety.onAppended(message));
    const { onBug } = this.safety;
    const onIgnored = this.onIgnoredWebhook;
    this.workerParts = { ...shared, broker, logger, onBug, onIgnored };
    this.apiProcess = new SimulatedApiProcess(shared);
    this.console = new SimulatedConsole(shared);
    this.webhooks = new WebhookDelivery({
      ...shared,
      wires,
      api: this.apiProcess,
      onBug: this.safety.onBug,
    });
    const { provider, apiProcess: api } = this;
    this.stories = script.map(
      (plan) =>
        new OrderStory(
          {
            scheduler,
            database,
            provider,
            api,
            people,
            onBug: this.safety.onBug,
          },
          plan,
        ),
    );
  }

  get orderIds(): readonly string[] {
    return this.stories.flatMap(({ orderId }) => orderId ?? []);
  }

  /** Runs the simulation; returns the violated invariants, empty when there are none. */
  async run(): Promise<readonly string[]> {
    // Yields once before the first turn, so that the first turn does not depend on the microtasks
    // of the caller.
    await Promise.resolve();
    for (const name of WORKERS) this.workers.push(new SimulatedWorker(name, this.workerParts));
    for (const story of this.stories) story.begin();
    const { scheduler, database, console, operators: load, people } = this;
    const ops = { scheduler, database, console, load, people };
    watchStuckCalls(ops).catch(this.safety.onBug);
    watchBlockedSagas(ops).catch(this.safety.onBug);
    while (this.safety.violations.length === 0) {
      if (this.rates !== NO_FAULTS && scheduler.nowMs >= this.healAtMs) this.heal();
      if (!(await this.next())) break;
      if (this.turns > MOST_TURNS)
        this.safety.violated(`the work has not ended after ${MOST_TURNS} turns`);
    }
    return this.safety.violations;
  }

  traceHash(): string {
    return this.hash.update(this.unhashed).digest('hex').slice(0, 16);
  }

  private heal(): void {
    this.rates = NO_FAULTS;
    for (const { clock } of this.workers) clock.correct();
    this.onTurn('world', 'is healed');
  }

  /** Lets one process continue, or else advances time; returns false when all work has ended. */
  private async next(): Promise<boolean> {
    const { scheduler, random, rates } = this;
    scheduler.refresh();
    if (random.chance(rates.crash)) this.crash();
    if (random.chance(rates.clock)) this.disturbClock();
    if (random.chance(rates.slowness)) {
      await this.pass(random.int(1, 20) * SECOND_MS);
    } else if (random.chance(rates.jump)) {
      await this.pass(random.int(1, 40) * HOUR_MS);
    }
    if (scheduler.hasTurns && random.chance(0.75)) {
      await scheduler.runOne();
      return true;
    }
    const possible = this.workers.flatMap((worker) => worker.possible());
    const begin = possible[random.int(0, possible.length - 1)];
    if (begin !== undefined && possible.length > 0) {
      begin();
      await scheduler.drained();
    } else if (scheduler.hasTurns) {
      await scheduler.runOne();
    } else {
      return this.rest();
    }
    return true;
  }

  /** Advances time when no process can continue. Returns false when all work has ended. */
  private async rest(): Promise<boolean> {
    const { scheduler, provider } = this;
    this.checkDuties();
    if (this.rates === NO_FAULTS && this.isOver()) return false;
    const isUnsettled = this.workers.some(({ clock }) => clock.isUnsettled);
    // While a worker's clock is wrong, time advances in small steps, because a job that is due by
    // the database's clock may not be due by the worker's clock.
    const laterMs = isUnsettled ? scheduler.nowMs + LATER_MS : null;
    const next = [scheduler.nextWakeMs(), provider.nextDueMs(), this.nextDutyMs(), laterMs].filter(
      (ms) => ms !== null,
    );
    if (next.length === 0) {
      this.reportAmiss('nothing can happen any more, but the work has not ended');
      return false;
    }
    await this.pass(Math.max(1, Math.min(...next) - scheduler.nowMs));
    if (this.rates === NO_FAULTS && scheduler.nowMs > this.lastNewsMs + REST_WITHIN_MS) {
      this.reportAmiss('the work does not end in time');
      return false;
    }
    return true;
  }

  private isOver(): boolean {
    const { scheduler, provider } = this;
    if (scheduler.nextWakeMs() !== null || provider.nextDueMs() !== null) return false;
    return this.amiss().length === 0;
  }

  private amiss(): readonly string[] {
    return whatIsAmiss(this.orderIds, this.database, this.provider, this.api.lies);
  }

  private reportAmiss(why: string): void {
    for (const what of this.amiss()) this.safety.violated(`${why}: ${what}`);
  }

  /** Advances time, and stops at each planned step of the provider to execute it. */
  private async pass(ms: number): Promise<void> {
    const { scheduler, provider } = this;
    const untilMs = scheduler.nowMs + ms;
    for (;;) {
      const due = provider.nextDueMs();
      if (due === null || due > untilMs) break;
      await scheduler.advanceTo(due);
      provider.stepDue();
      this.onNews();
    }
    await scheduler.advanceTo(untilMs);
  }

  private onNews(): void {
    this.lastNewsMs = this.scheduler.nowMs;
    this.scheduler.news();
    this.safety.onProvider();
  }

  /** The earliest future time at which work that waits in the database may start. */
  private nextDutyMs(): number | null {
    const { database, scheduler } = this;
    return nextDutyMs(database, scheduler.nowMs);
  }

  /**
   * Checks invariant 4: every open saga waits for a deadline, a provider request or the retry of a
   * reaction.
   */
  private checkDuties(): void {
    for (const what of forgottenSagas(this.database)) this.safety.violated(what);
  }

  /** The clock of a worker becomes wrong, until a time server corrects it after some hours. */
  private disturbClock(): void {
    const { workers, random, scheduler, wires } = this;
    const { clock, process } = workers[random.int(0, workers.length - 1)] ?? {};
    if (clock === undefined || process === undefined || clock.isDisturbed) return;
    this.onTurn(process.name, 'has a wrong clock');
    clock.disturb(random);
    const corrected = async (): Promise<void> => {
      await scheduler.sleep(wires, random.int(1, 6 * 60) * 60 * SECOND_MS, 'corrects a clock');
      clock.correct();
    };
    corrected().catch(this.safety.onBug);
  }

  private crash(): void {
    const { workers, random } = this;
    const victim = workers[random.int(0, workers.length - 1)];
    if (victim !== undefined) this.kill(victim.process);
  }

  /**
   * Kills a worker and starts it again within a minute; returns false if the process is not a
   * worker.
   */
  private kill(process: Process): boolean {
    const { workers, scheduler, random, wires } = this;
    const index = workers.findIndex((one) => one.process === process);
    if (index === -1 || !process.alive) return false;
    const { name } = process;
    this.onTurn(name, 'dies');
    scheduler.kill(process);
    const again = async (): Promise<void> => {
      await scheduler.sleep(wires, random.int(0, 60) * SECOND_MS, `${name} starts`);
      workers[index] = new SimulatedWorker(name, this.workerParts);
    };
    again().catch(this.safety.onBug);
    return true;
  }

  /**
   * Debits a mandate. The letters in the mandate's id decide: G, the debit succeeds; R, the bank
   * refuses it immediately; U, the mandate is not signed.
   */
  private debitMandate(mandateId: string, intent: SimulatedIntent): void {
    const kind = mandateId.charAt(5);
    if (kind === 'U') throw new Refused(409, 'the mandate is not signed');
    const scenario = this.storyOf(intent.orderId)?.plan.scenario ?? null;
    this.provider.debit(intent, mandateId, kind === 'R' ? 'AM04' : '00', scenario);
  }

  private storyOf(paymentId: string | null): OrderStory | undefined {
    const payment = this.database.state(paymentAggregate, paymentId ?? '');
    const orderId = payment.status === 'none' ? null : payment.terms.orderId;
    return this.stories.find((one) => one.orderId === orderId);
  }

  private readonly onIgnoredWebhook = (webhook: WebhookRow): void => {
    const lies = [...this.api.lies.values()];
    if (!lies.some(({ intentId }) => intentId === webhook.intentId))
      this.safety.onIgnoredWebhook(webhook);
  };

  /** The planned false responses about this intent, if it is the first intent of its order. */
  private lieOf({ orderId: paymentId }: SimulatedIntent): PlannedLie | null {
    const story = this.storyOf(paymentId);
    const lie = story?.plan.lie ?? null;
    const { order, orderId = null } = story ?? { order: null };
    const isFirst = order?.status !== 'not_placed' && order?.payments[0] === paymentId;
    return lie !== null && orderId !== null && isFirst ? { orderId, lie } : null;
  }

  private recordedIntents(besides: SimulatedIntent): readonly SimulatedIntent[] {
    return this.provider.intents.filter((one) => {
      const payment = this.database.state(paymentAggregate, one.orderId ?? '');
      return one !== besides && exists(payment) && payment.intentId === one.id;
    });
  }

  private onTurn(process: string, label: string): void {
    this.turns += 1;
    const line = `${process}: ${label}`;
    this.unhashed += line;
    if (this.options.traced) this.trace.push(`${this.scheduler.clock.now()} ${line}`);
  }

  private onLog(line: string): void {
    if (this.options.traced) this.trace.push(`${this.scheduler.clock.now()}   ${line}`);
  }
}
