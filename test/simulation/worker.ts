import { EventStore, type SagaRef } from '#log';
import { UPCASTERS } from '#orchestrator';
import { begunJob, CallRunner, JobRunner, type WallTime } from '#jobs';
import { assert } from '#kernel';
import { LeaseLost, LogPublishing, type OutgoingMessage } from '#kafka';
import type { Logger } from '#platform';
import { isProviderError, type ProviderClient } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { paymentEffects } from '../../apps/worker/payments/payment-effects.js';
import { PaymentPoller } from '../../apps/worker/payments/payment-poller.js';
import { WebhookHandler } from '../../apps/worker/payments/webhook-handler.js';
import { sagaDeadlines } from '../../apps/worker/sagas/saga-deadlines.js';
import { accountOf } from './account.js';
import type { FaultRates } from './faults.js';
import { listReaders } from './list-reader.js';
import type { Network } from './network.js';
import type { SimulatedBroker } from './ports/broker.js';
import type { SimulatedDatabase, WebhookRow } from './ports/database.js';
import { claimableJobs, simulatedJobs } from './ports/jobs.js';
import {
  acquireLease,
  releaseLease,
  simulatedCursor,
  simulatedLog,
  simulatedReader,
} from './ports/log.js';
import { ConnectionLost, connectionOf } from './ports/process-exchange.js';
import { claimableReactions, simulatedReactions, simulatedWebhooks } from './ports/queues.js';
import { faultyReactions } from './ports/sagas.js';
import { ProcessClock } from './process-clock.js';
import { Process, type Scheduler } from './scheduler.js';

export interface WorkerParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly broker: SimulatedBroker;
  readonly network: Network;
  readonly rates: () => FaultRates;
  readonly logger: Logger;
  /** Called with errors that must never happen. A real worker would only log them. */
  readonly onBug: (error: unknown) => void;
  /** Called when a worker completes a webhook without recording an event. */
  readonly onIgnored: (webhook: WebhookRow) => void;
}

type SimulatedJobs = ReturnType<typeof simulatedJobs>;

const MOST_AT_ONCE = 4;
const MOST_CLAIMED = 3;
const MOST_ROUNDS = 3;
/**
 * How many streams each worker caches. `worker-1` caches few streams, so it often reads a stream
 * again. `worker-2` caches many, so it often decides on an outdated state, and the commit must
 * detect this.
 */
const MAX_REMEMBERED: Readonly<Record<string, number>> = { 'worker-1': 3, 'worker-2': 100 };

/** Whether the error is expected, so that the next process that claims the work repeats it. */
const isExpected = (error: unknown): boolean =>
  error instanceof ConnectionLost || error instanceof LeaseLost || isProviderError(error);

/**
 * A worker process until it is killed: the worker's production code on simulated ports. Its
 * successor starts with empty caches.
 */
export class SimulatedWorker {
  readonly process: Process;
  private atOnce = 0;

  constructor(
    name: string,
    private readonly parts: WorkerParts,
  ) {
    const { scheduler, database, rates } = parts;
    this.process = new Process(name);
    this.adapter = new HostedAdapter(parts.network.transportOf(this.process));
    this.exchange = connectionOf(scheduler, this.process, () => rates().database);
    const pause = async (): Promise<void> =>
      scheduler.sleep(this.process, scheduler.random.int(1, 5_000), 'pause over');
    const { process, exchange } = this;
    this.clock = new ProcessClock({ scheduler, process, exchange, logger: parts.logger });
    const { clock } = this;
    const reactions = faultyReactions(scheduler, () => rates().reaction, clock);
    this.store = new EventStore(simulatedLog(database, this.exchange), UPCASTERS, reactions, {
      pause,
      maxCached: MAX_REMEMBERED[name] ?? 1,
    });
    const wallTime: WallTime = {
      nowMs: this.nowMs,
      every: (ms, work) => scheduler.every(this.process, ms, work),
      sleep: (ms) => scheduler.sleep(this.process, ms, 'pause over'),
    };
    const table = this.watched(simulatedJobs(database, this.exchange, this.nowMs));
    this.jobs = new JobRunner({ table, logger: parts.logger, now: () => clock.timed(), wallTime });
    const calls = new CallRunner(this.store, clock, parts.logger, [
      paymentEffects({
        store: this.store,
        clock,
        clientOf: this.clientOf,
        capabilitiesOf: () => Promise.resolve(this.adapter.capabilities),
        lostTimes: () => Promise.resolve([]),
        heldDebitOf: () => Promise.resolve(null),
      }),
    ]);
    this.jobs.register(
      ...calls.kinds(),
      new WebhookHandler(
        this.store,
        simulatedWebhooks(database, this.exchange, parts.onIgnored),
        clock,
        parts.logger,
        this.clientOf,
      ),
      new PaymentPoller(this.store, clock, parts.logger, this.clientOf),
      ...sagaDeadlines(this.store, reactions.sagas),
      ...listReaders({
        table,
        store: this.store,
        clock,
        logger: parts.logger,
        clientOf: this.client,
        capabilities: this.adapter.capabilities,
      }),
    );
    this.store.beginCallsBy({
      reserve: (call) => this.jobs.reserve(call),
      release: (call) => this.jobs.release(call),
      giveBack: (call) => this.begin('give back', () => this.jobs.giveBack(call)),
      begin: (call) => this.begin('begun call', () => this.jobs.run(begunJob(call))),
    });
    this.publishing = new LogPublishing({
      reader: simulatedReader(database, this.exchange),
      cursor: simulatedCursor(database, this.exchange),
      publisher: { publish: (batch) => this.publish(batch) },
      topics: { prefix: '' },
      onPublished: () => undefined,
      onHeldBack: () => undefined,
    });
  }

  readonly clock: ProcessClock;
  private readonly exchange;
  private readonly adapter: HostedAdapter;
  private readonly store: EventStore;
  private readonly jobs: JobRunner;
  private readonly publishing: LogPublishing;
  private readonly nowMs = (): number => this.parts.scheduler.nowMs;
  private readonly client = (accountId: string): ProviderClient =>
    this.adapter.client(accountOf(accountId).apiKey);
  private readonly clientOf = (accountId: string) =>
    Promise.resolve(this.client(accountId).payments);

  /** The work that this process could start now, as functions that start it. */
  possible(): readonly (() => void)[] {
    if (this.atOnce >= MOST_AT_ONCE) return [];
    const { database, scheduler } = this.parts;
    const { nowMs } = scheduler;
    const now = this.clock.timed();
    const all: (() => void)[] = [];
    const add = (label: string, work: () => Promise<void>): void => {
      all.push(() => this.begin(label, work));
    };
    if (claimableJobs(database, now, nowMs, this.jobs.names()).length > 0) {
      add('jobs', () => this.runJobs());
    }
    if (claimableReactions(database, nowMs).length > 0) add('retries', () => this.retry());
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

  /**
   * Reports a violation when this process claims timed work although a comparison has shown that
   * its clock is wrong.
   */
  private watched(table: SimulatedJobs): SimulatedJobs {
    return {
      ...table,
      claim: (request) => {
        if (request.now !== null && this.clock.isIgnored) {
          this.parts.onBug(new Error('a process with a wrong clock does timed work'));
        }
        return table.claim(request);
      },
    };
  }

  private atMost(most: number): number {
    return this.parts.scheduler.random.int(1, most);
  }

  private async runJobs(): Promise<void> {
    for (const job of await this.jobs.claim(this.atMost(MOST_CLAIMED))) {
      this.begin('job', () => this.jobs.run(job));
    }
  }

  private async retry(): Promise<void> {
    const { database } = this.parts;
    const waiting = simulatedReactions(database, this.exchange, this.nowMs);
    for (const ref of await waiting.claim(this.atMost(MOST_CLAIMED), ['checkout'])) {
      this.begin('retry', () => this.retryOne(ref));
    }
  }

  /**
   * Retries a saga's reaction. Asserts that the retry succeeds or increases the number of failures,
   * because it would otherwise be repeated endlessly.
   */
  private async retryOne({ saga, key }: SagaRef): Promise<void> {
    const { database } = this.parts;
    const versionBefore = database.sagas.get(`${saga} ${key}`)?.version ?? 0;
    await this.store.retryReactions(saga, key);
    const after = database.sagas.get(`${saga} ${key}`);
    const isTried = !after?.waiting || after.version > versionBefore;
    assert(isTried, `a retry of ${saga} for ${key} has an effect`);
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

  /**
   * Publishes a batch. With a fault, only a part of the batch is published, and the acknowledgement
   * is lost.
   */
  private async publish(batch: readonly OutgoingMessage[]): Promise<void> {
    const { scheduler, broker, rates } = this.parts;
    const fails = scheduler.random.chance(rates().publish);
    await scheduler.turn(this.process, `publish ${batch.length}${fails ? ' (fails)' : ''}`);
    const published = fails ? batch.slice(0, scheduler.random.int(0, batch.length)) : batch;
    for (const message of published) broker.append(message);
    if (fails) throw new ConnectionLost('the acknowledgement was lost');
  }
}
