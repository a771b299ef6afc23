import { EventStore } from '#event-store';
import {
  Intake, LeaseLost, LogPublishing, MessagingMetrics, type OutgoingMessage,
} from '#messaging';
import { type Logger, Metrics } from '#platform';
import { isProviderError, PaymentClient } from '#provider';
import type { Pool } from 'pg';
import { Deadlines } from '../../apps/worker/deadlines/deadlines.js';
import { PaymentPoller } from '../../apps/worker/deadlines/payment-poller.js';
import { EffectRunner } from '../../apps/worker/effects/effect-runner.js';
import { paymentEffects } from '../../apps/worker/effects/payment-effects.js';
import { CheckoutRunner } from '../../apps/worker/sagas/checkout-runner.js';
import { WebhookHandler } from '../../apps/worker/webhooks/webhook-handler.js';
import type { FaultRates } from './faults.js';
import { listReader } from './list-reader.js';
import type { Network } from './network.js';
import {
  decoded, type SimulatedBroker, simulatedInbox, simulatedParkedKeys,
} from './ports/broker.js';
import type { SimulatedDatabase } from './ports/database.js';
import {
  acquireLease, releaseLease, simulatedCursor, simulatedLog, simulatedReader,
} from './ports/log.js';
import { ConnectionLost, connectionOf } from './ports/process-exchange.js';
import {
  claimableDeadlines, claimableEffects, openWebhooks, simulatedDeadlines, simulatedEffects,
  simulatedWebhooks,
} from './ports/queues.js';
import { claimableTasks, simulatedTasks } from './ports/tasks.js';
import { Process, type Scheduler } from './scheduler.js';

export interface WorkerParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly broker: SimulatedBroker;
  readonly network: Network;
  readonly rates: () => FaultRates;
  readonly logger: Logger;
  /** What a worker's loops would only log, though it should never happen. */
  readonly onBug: (error: unknown) => void;
}

/** Nobody reads them: the counters only need a registry. */
const metrics = (logger: Logger) => new MessagingMetrics(new Metrics(), {} as Pool, logger);

const MOST_AT_ONCE = 4;
const MOST_CLAIMED = 3;
const MOST_MESSAGES = 6;
const MOST_ROUNDS = 3;
/** Few, so that forgetting happens too. */
const MOST_REMEMBERED = 3;

/** What a lost claim or connection ends is done again by whoever finds it. */
const isExpected = (error: unknown): boolean =>
  error instanceof ConnectionLost || error instanceof LeaseLost || isProviderError(error);

/**
 * One life of a worker process: the production code of the worker, on simulated ports. All that it
 * remembers goes when it is killed.
 */
export class SimulatedWorker {
  readonly process: Process;
  private atOnce = 0;
  private readonly patterns: readonly string[];

  constructor(name: string, private readonly parts: WorkerParts) {
    const { scheduler, database, rates } = parts;
    this.process = new Process(name);
    this.exchange = connectionOf(scheduler, this.process, () => rates().database);
    const pause = async (): Promise<void> =>
      scheduler.sleep(this.process, scheduler.random.int(1, 5_000), 'pause over');
    this.store = new EventStore(simulatedLog(database, this.exchange), {}, {
      pause, maxRemembered: MOST_REMEMBERED,
    });
    this.checkout = new CheckoutRunner(this.store, scheduler.clock);
    this.deadlines.register(new PaymentPoller({
      store: this.store, clock: scheduler.clock, logger: parts.logger, clientOf: this.clientOf,
    }));
    this.deadlines.register(this.checkout.deadlines);
    this.patterns = this.deadlines.patterns();
    this.effects = new EffectRunner({
      store: this.store, clock: scheduler.clock, logger: parts.logger,
      queue: simulatedEffects(database, this.exchange, this.nowMs),
      families: [paymentEffects({
        store: this.store, clock: scheduler.clock, clientOf: this.clientOf,
      })],
      wallTime: {
        nowMs: this.nowMs, every: (ms, work) => scheduler.every(this.process, ms, work),
      },
    });
    this.webhooks = new WebhookHandler({
      store: this.store, clock: scheduler.clock, logger: parts.logger, clientOf: this.clientOf,
      queue: simulatedWebhooks(database, this.exchange, this.nowMs),
    });
    this.intake = new Intake({
      store: this.store, subscription: this.checkout.subscription, upcasters: {},
      metrics: sharedMetrics ??= metrics(parts.logger), logger: parts.logger, pause,
      maxRemembered: MOST_REMEMBERED,
      inbox: simulatedInbox(database, this.exchange, this.checkout.subscription.name),
      parkedKeys: simulatedParkedKeys(database, this.exchange),
    });
    this.tasks = simulatedTasks(database, this.exchange, this.nowMs);
    this.lists = listReader({
      queue: this.tasks, store: this.store, clock: scheduler.clock, logger: parts.logger,
      transport: parts.network.transportOf(this.process), payments: this.client(),
    });
    this.publishing = new LogPublishing({
      reader: simulatedReader(database, this.exchange),
      cursor: simulatedCursor(database, this.exchange),
      publisher: { publish: (batch) => this.publish(batch) },
      topics: { prefix: '' }, onPublished: () => undefined,
    });
  }

  private readonly exchange;
  private readonly store: EventStore;
  private readonly checkout: CheckoutRunner;
  private readonly deadlines = new Deadlines();
  private readonly effects: EffectRunner;
  private readonly webhooks: WebhookHandler;
  private readonly intake: Intake;
  private readonly publishing: LogPublishing;
  private readonly tasks: ReturnType<typeof simulatedTasks>;
  private readonly lists: ReturnType<typeof listReader>;
  private readonly nowMs = (): number => this.parts.scheduler.nowMs;
  private readonly client = (): PaymentClient =>
    new PaymentClient(this.parts.network.transportOf(this.process), 'stest_simulated');
  private readonly clientOf = () => Promise.resolve(this.client());

  /** What this process could begin now. */
  possible(): readonly (() => void)[] {
    if (this.atOnce >= MOST_AT_ONCE) return [];
    const { database, broker, scheduler } = this.parts;
    const { nowMs } = scheduler;
    const now = scheduler.clock.now();
    const all: (() => void)[] = [];
    const add = (label: string, work: () => Promise<void>): void => {
      all.push(() => this.begin(label, work));
    };
    if (claimableEffects(database, now, nowMs, 1).length > 0) add('calls', () => this.makeCalls());
    if (claimableDeadlines(database, now, nowMs, this.patterns).length > 0) {
      add('deadlines', () => this.carryOut());
    }
    if (claimableTasks(database, now, nowMs).length > 0) add('lists', () => this.lookThrough());
    if (openWebhooks(database, nowMs).length > 0) add('webhooks', () => this.readWebhooks());
    for (const partition of broker.behind()) {
      if (broker.mayTake(partition, this.process)) {
        add(`partition ${partition}`, () => this.consume(partition));
      }
    }
    const { position, expiresAtMs } = database.relay;
    if (Number(position) < database.events.length && expiresAtMs <= nowMs) {
      add('relay', () => this.relay());
    }
    return all;
  }

  private begin(_label: string, work: () => Promise<void>): void {
    this.atOnce += 1;
    work()
      .catch((error: unknown) => {
        if (!isExpected(error)) this.parts.onBug(error);
      })
      .finally(() => {
        this.atOnce -= 1;
      });
  }

  private atMost(most: number): number {
    return this.parts.scheduler.random.int(1, most);
  }

  private async makeCalls(): Promise<void> {
    for (const job of await this.effects.claim(this.atMost(MOST_CLAIMED))) {
      this.begin('call', () => this.effects.run(job));
    }
  }

  private async carryOut(): Promise<void> {
    const { database, scheduler, logger } = this.parts;
    const queue = simulatedDeadlines(database, this.exchange, this.nowMs);
    const limit = this.atMost(MOST_CLAIMED);
    for (const due of await queue.claim(scheduler.clock.now(), this.patterns, limit)) {
      this.begin('deadline', () => this.deadlines.carryOut(due, queue, logger));
    }
  }

  private async lookThrough(): Promise<void> {
    const { clock } = this.parts.scheduler;
    for (const task of await this.tasks.claim(clock.now(), this.atMost(MOST_CLAIMED))) {
      this.begin('list', () => this.lists.run(task));
    }
  }

  private async readWebhooks(): Promise<void> {
    for (const group of await this.webhooks.claim(this.atMost(MOST_CLAIMED))) {
      this.begin('webhook', () => this.webhooks.handle(group));
    }
  }

  private async consume(index: number): Promise<void> {
    const { broker, scheduler } = this.parts;
    const partition = broker.take(index, this.process, () => this.intake.forget());
    const batch = partition.messages.slice(partition.committed)
      .slice(0, this.atMost(MOST_MESSAGES));
    const end = partition.committed + batch.length;
    const outcome = await this.intake.take(decoded(batch), new AbortController().signal);
    await scheduler.turn(this.process, `commit offset ${end} of ${index}`);
    if (outcome !== 'stopped') partition.committed = Math.max(partition.committed, end);
    broker.release(index, this.process);
  }

  private async relay(): Promise<void> {
    const { database } = this.parts;
    const lease = await acquireLease(database, this.exchange, this.nowMs);
    if (lease === null) return;
    await this.publishing.begin(lease);
    for (let left = this.atMost(MOST_ROUNDS); left > 0; left -= 1) {
      if ((await this.publishing.round(lease)) === 'idle') break;
    }
    await releaseLease(database, this.exchange, lease.token);
  }

  /** Any part of a batch may have been published when its acknowledgement does not come. */
  private async publish(batch: readonly OutgoingMessage[]): Promise<void> {
    const { scheduler, broker, rates } = this.parts;
    const fails = scheduler.random.chance(rates().publish);
    await scheduler.turn(this.process, `publish ${batch.length}${fails ? ' (fails)' : ''}`);
    const told = fails ? batch.slice(0, scheduler.random.int(0, batch.length)) : batch;
    for (const message of told) broker.append(message);
    if (fails) throw new ConnectionLost('the acknowledgement did not come');
  }
}

let sharedMetrics: MessagingMetrics | undefined;
