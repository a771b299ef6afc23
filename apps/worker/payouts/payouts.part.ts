import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { HOUR_MS, instantFromMs } from '#kernel';
import { EventStore } from '#event-store';
import {
  type BusinessClock, CLOCK, ClockCheck, IdleChecks, type Logger, LOGGER, Metrics,
} from '#platform';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { AccountLists } from './account-lists.js';
import type { AccountTask } from './account-task.js';
import { BackgroundReads } from './background-reads.js';
import { PaymentDoor } from './payment-door.js';
import { PayoutLines } from './payout-lines.js';
import { PayoutTasks } from './payout-tasks.js';
import { Reconciliation } from './reconciliation.js';
import { TaskQueue } from './task-queue.js';
import { TaskRunner } from './task-runner.js';

const TASKS_AT_ONCE = 6;
/** Of one account: there is room left for others while its lists are slow. */
const OF_ONE_ACCOUNT = 4;
const IDLE_MS = { first: 50, widest: 250 };
/** Wall time: a new account is read for the first time within this. */
const ENSURE_EVERY_MS = 2_000;
/** Each list is looked through once a day at least. */
const UNREAD_MS = 36 * HOUR_MS;

/** What is read of payouts and disputes and reconciled, in this worker. */
@Injectable()
export class PayoutsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop<AccountTask>;
  private readonly queue: TaskQueue;
  private ensuredAtMs = -ENSURE_EVERY_MS;

  constructor(
    pool: Pool, store: EventStore, reads: BackgroundReads, idle: IdleChecks, metrics: Metrics,
    wall: ClockCheck,
    @Inject(CLOCK) private readonly clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new TaskQueue(pool);
    this.queue = queue;
    const lines = new PayoutLines(pool);
    const door = new PaymentDoor({ store, clock, logger });
    const runner = new TaskRunner({
      queue, reads, clock, logger,
      lists: new AccountLists({ queue, lines, door, clock, logger }),
      payouts: new PayoutTasks({ store, queue, lines, door, clock, logger }),
      reconciliation: new Reconciliation({ pool, store, queue, lines, clock }),
    });
    const shares = new AccountShares(OF_ONE_ACCOUNT, () => this.loop.wake());
    this.loop = new WorkLoop({
      name: 'account tasks', logger, width: TASKS_AT_ONCE, idleMs: IDLE_MS,
      claim: wall.timed((limit) => this.claim(shares.room(limit), shares.full())),
      run: (task) => shares.during(task.accountId, () => runner.run(task)),
    });
    clock.onMoved(() => this.loop.wake());
    metrics.gauge(
      'accounts_unread', 'Accounts one of whose lists was not read to its end for 36 hours', [],
      async (gauge) => gauge.set(await queue.unreadAccounts(clock.now(), UNREAD_MS)),
    );
    idle.add({
      name: 'account tasks',
      look: async () => {
        // The clock may move on by days at once: an account of this moment is not passed over.
        await queue.ensure(clock.now());
        const { due } = await queue.due(clock.now());
        return { busy: due > 0 ? `${due} due` : null, mark: '' };
      },
      next: async () => {
        const { next } = await queue.due(clock.now());
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

  private async claim(
    limit: number, passedOver: readonly string[],
  ): Promise<readonly AccountTask[]> {
    const nowMs = performance.now();
    if (nowMs - this.ensuredAtMs >= ENSURE_EVERY_MS) {
      await this.queue.ensure(this.clock.now());
      this.ensuredAtMs = nowMs;
    }
    return this.queue.claim(this.clock.now(), limit, passedOver);
  }
}
