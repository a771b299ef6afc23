import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import { type BusinessClock, CLOCK, IdleChecks, type Logger, LOGGER, Metrics } from '#platform';
import { WorkLoop } from '../loop/work-loop.js';
import { MerchantCalls } from '../merchants/merchant-calls.js';
import { ProviderClients } from '../provider-clients.js';
import type { EffectJob } from './effect-job.js';
import { EffectQueue } from './effect-queue.js';
import { EffectRunner } from './effect-runner.js';
import { paymentEffects } from './payment-effects.js';

const CALLS_AT_ONCE = 24;
const IDLE_MS = { first: 15, widest: 80 };

/** Calls to the provider, in this worker. */
@Injectable()
export class EffectsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runner: EffectRunner;
  private readonly loop: WorkLoop<EffectJob>;

  constructor(
    pool: Pool, store: EventStore, clients: ProviderClients, merchantCalls: MerchantCalls,
    metrics: Metrics, idle: IdleChecks,
    @Inject(CLOCK) clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new EffectQueue(pool);
    const ended = metrics.counter(
      'effects_ended_total', 'Calls to the provider, by what became of the job', ['kind', 'state'],
    );
    this.runner = new EffectRunner({
      store, queue, clock, logger,
      families: [
        paymentEffects({ store, clock, clientOf: (accountId) => clients.of(accountId) }),
        merchantCalls,
      ],
      onEnded: (kind, state) => ended.inc({ kind, state }),
    });
    this.loop = new WorkLoop({
      name: 'effects', logger, width: CALLS_AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => this.runner.claim(limit),
      run: (job) => this.runner.run(job),
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

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.runner.stop();
  }
}
