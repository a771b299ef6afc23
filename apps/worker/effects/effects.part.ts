import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import { endLostTime, lostTimesUntilNow } from '#operations';
import { type BusinessClock, CLOCK, IdleChecks, type Logger, LOGGER, Metrics } from '#platform';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { MerchantCalls } from '../merchants/merchant-calls.js';
import { BackgroundReads } from '../payouts/background-reads.js';
import { intentReader } from '../payouts/intent-reads.js';
import { ProviderClients } from '../provider-clients.js';
import type { EffectJob } from './effect-job.js';
import { EffectQueue } from './effect-queue.js';
import { EffectRunner } from './effect-runner.js';
import { paymentEffects } from './payment-effects.js';
import { type RestoreRead, RestoreReads } from './restore-reads.js';

const CALLS_AT_ONCE = 36;
/** Of one account: there is room left for others while its calls are slow. */
const OF_ONE_ACCOUNT = 24;
const IDLE_MS = { first: 15, widest: 80 };
const RESTORE_READS_AT_ONCE = 8;
/** Rows come at the start of a process, and hardly ever. */
const RESTORE_IDLE_MS = { first: 100, widest: 2_000 };

/** Calls to the provider, in this worker. */
@Injectable()
export class EffectsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runner: EffectRunner;
  private readonly loop: WorkLoop<EffectJob>;
  private readonly restoreLoop: WorkLoop<RestoreRead>;

  constructor(
    private readonly pool: Pool, store: EventStore, clients: ProviderClients, merchantCalls: MerchantCalls,
    reads: BackgroundReads, metrics: Metrics, idle: IdleChecks,
    @Inject(CLOCK) private readonly clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new EffectQueue(pool);
    const ended = metrics.counter(
      'effects_ended_total', 'Calls to the provider, by what became of the job', ['kind', 'state'],
    );
    this.runner = new EffectRunner({
      store, queue, clock, logger,
      families: [
        paymentEffects({
          store, clock, lostTimes: () => lostTimesUntilNow(pool, clock),
          clientOf: (accountId) => clients.of(accountId),
        }),
        merchantCalls,
      ],
      onEnded: (kind, state) => ended.inc({ kind, state }),
    });
    const shares = new AccountShares(OF_ONE_ACCOUNT, () => this.loop.wake());
    this.loop = new WorkLoop({
      name: 'effects', logger, width: CALLS_AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => this.runner.claim(limit, shares.load()),
      run: (job) => shares.during(job.accountId, () => this.runner.run(job)),
    });
    const restored = new RestoreReads({
      pool, store, clock, logger,
      clientOf: async (accountId) => intentReader(await reads.of(accountId)),
    });
    this.restoreLoop = new WorkLoop({
      name: 'reads after a restore', logger, width: RESTORE_READS_AT_ONCE, idleMs: RESTORE_IDLE_MS,
      claim: (limit) => restored.claim(limit),
      run: (read) => restored.run(read),
    });
    metrics.gauge(
      'restore_reads_left', 'Payments to be read since a restore: their accounts make no calls', [],
      async (gauge) => gauge.set((await restored.left()).payments),
    );
    clock.onMoved(() => this.loop.wake());
    store.onCommitted(({ effects }) => {
      if (effects.length > 0) this.loop.wake();
    });
    idle.add({
      name: 'effects',
      look: async () => {
        const { due, mark } = await queue.due(clock.now());
        return { busy: due > 0 ? `${due} to be called` : null, mark: String(mark) };
      },
      next: async () => {
        const { next } = await queue.due(clock.now());
        return next && instantFromMs(next.getTime());
      },
    });
    metrics.gauge('effects_open', 'Effect jobs that are not done', ['state'], async (gauge) => {
      gauge.reset();
      for (const [state, jobs] of await queue.openByState()) gauge.set({ state }, jobs);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await endLostTime(this.pool, this.clock);
    this.loop.start();
    this.restoreLoop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.loop.stop(), this.restoreLoop.stop()]);
    this.runner.stop();
  }
}
