import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import { PAYMENT_READ_DEADLINE } from '#payment';
import { ORCHESTRATION } from '#orchestrator';
import {
  type BusinessClock, CLOCK, ClockCheck, IdleChecks, type Logger, LOGGER, Metrics,
} from '#platform';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { BackgroundReads } from '../payouts/background-reads.js';
import { intentReader } from '../payouts/intent-reads.js';
import { sagaDeadlines } from '../sagas/saga-deadlines.js';
import type { DueDeadline } from './deadline.js';
import { DeadlineQueue } from './deadline-queue.js';
import { Deadlines } from './deadlines.js';
import { HeldAccounts } from './held-accounts.js';
import { PaymentPoller } from './payment-poller.js';

const AT_ONCE = 24;
/** Reads of one account: there is room left for others, and for what is no read, while they are slow. */
const OF_ONE_ACCOUNT = 16;
const IDLE_MS = { first: 50, widest: 150 };

/** What is due at an instant of business time, in this worker; the payment poller among it. */
@Injectable()
export class DeadlinesPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop<DueDeadline>;

  constructor(
    pool: Pool, store: EventStore, reads: BackgroundReads, idle: IdleChecks, metrics: Metrics,
    deadlines: Deadlines, wall: ClockCheck,
    @Inject(CLOCK) clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new DeadlineQueue(pool);
    const held = new HeldAccounts();
    deadlines.register(new PaymentPoller({
      store, clock, logger,
      clientOf: async (accountId) => intentReader(await reads.of(accountId)),
      onHeldBack: (accountId, waitMs) => held.hold(accountId, waitMs),
    }));
    deadlines.register(sagaDeadlines(store, ORCHESTRATION.sagas));
    const shares = new AccountShares(OF_ONE_ACCOUNT, () => this.loop.wake());
    this.loop = new WorkLoop({
      name: 'deadlines', logger, width: AT_ONCE, idleMs: IDLE_MS,
      claim: wall.timed((limit) => queue.claim(
        clock.now(), deadlines.patterns(), shares.room(limit), [...held.ids(), ...shares.full()])),
      run: (deadline) => shares.during(
        deadline.accountId ?? null, () => deadlines.carryOut(deadline, queue, logger)),
    });
    clock.onMoved(() => this.loop.wake());
    store.onCommitted((step) => {
      const now = clock.now();
      if (step.deadlines.some(({ dueAt }) => dueAt !== null && dueAt <= now)) this.loop.wake();
    });
    metrics.gauge(
      'payment_read_overdue_seconds', 'Business time since the oldest read of a payment was due', [],
      async (gauge) => gauge.set(await queue.overdueSeconds(clock.now(), PAYMENT_READ_DEADLINE)),
    );
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
