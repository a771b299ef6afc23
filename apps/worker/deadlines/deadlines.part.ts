import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import { type BusinessClock, CLOCK, IdleChecks, type Logger, LOGGER } from '#platform';
import { WorkLoop } from '../loop/work-loop.js';
import { ProviderClients } from '../provider-clients.js';
import type { DueDeadline } from './deadline.js';
import { DeadlineQueue } from './deadline-queue.js';
import { Deadlines } from './deadlines.js';
import { PaymentPoller } from './payment-poller.js';

const AT_ONCE = 16;
const IDLE_MS = { first: 50, widest: 150 };

/** What is due at an instant of business time, in this worker; the payment poller among it. */
@Injectable()
export class DeadlinesPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop<DueDeadline>;

  constructor(
    pool: Pool, store: EventStore, clients: ProviderClients, idle: IdleChecks,
    deadlines: Deadlines,
    @Inject(CLOCK) clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new DeadlineQueue(pool);
    deadlines.register(new PaymentPoller({
      store, clock, logger, clientOf: (accountId) => clients.of(accountId),
    }));
    this.loop = new WorkLoop({
      name: 'deadlines', logger, width: AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => queue.claim(clock.now(), deadlines.patterns(), limit),
      run: (deadline) => deadlines.carryOut(deadline, queue, logger),
    });
    clock.onMoved(() => this.loop.wake());
    idle.add({
      name: 'deadlines',
      look: async () => {
        const { due } = await queue.due(clock.now(), deadlines.patterns());
        return { busy: due > 0 ? `${due} due` : null, mark: '' };
      },
      next: async () => {
        const { next } = await queue.due(clock.now(), deadlines.patterns());
        return next && instantFromMs(next.getTime());
      },
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
