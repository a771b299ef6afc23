import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import { endLostTime, heldDebitOf, lostTimesUntilNow } from '#operations';
import { type BusinessClock, CLOCK, IdleChecks, type Logger, LOGGER, Metrics } from '#platform';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { MerchantCalls } from '../merchants/merchant-calls.js';
import { ProviderClients } from '../provider-clients.js';
import type { EffectJob } from './effect-job.js';
import { EffectQueue } from './effect-queue.js';
import { EffectRunner } from './effect-runner.js';
import { paymentEffects } from './payment-effects.js';

const CALLS_AT_ONCE = 36;
/** Of one account: there is room left for others while its calls are slow. */
const OF_ONE_ACCOUNT = 24;
const IDLE_MS = { first: 15, widest: 80 };

/** Calls to the provider, in this worker. */
@Injectable()
export class EffectsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runner: EffectRunner;
  private readonly loop: WorkLoop<EffectJob>;

  constructor(
    private readonly pool: Pool, store: EventStore, clients: ProviderClients, merchantCalls: MerchantCalls,
    metrics: Metrics, idle: IdleChecks,
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
          heldDebitOf: (paymentId, payment) => heldDebitOf(pool, paymentId, payment, clock.now()),
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
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.runner.stop();
  }
}
