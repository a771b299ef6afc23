import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { HOUR_MS } from '#kernel';
import { EventStore } from '#log';
import { Jobs, JobTable } from '#jobs';
import { type BusinessClock, CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { BackgroundReads } from '../reads/background-reads.js';
import { AccountLists } from './account-lists.js';
import { PaymentDoor } from './payment-door.js';
import { PayoutLines } from './payout-lines.js';
import { PayoutTasks } from './payout-tasks.js';
import { Reconciliation } from './reconciliation.js';
import { TaskQueue } from './task-queue.js';
import { TaskRunner } from './task-runner.js';

/** Each list is looked through once a day at least. */
const UNREAD_MS = 36 * HOUR_MS;

/** What is read of payouts and disputes and reconciled, in this worker. */
@Injectable()
export class PayoutsPart {
  constructor(
    pool: Pool,
    store: EventStore,
    reads: BackgroundReads,
    jobs: Jobs,
    metrics: Metrics,
    @Inject(CLOCK) clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new TaskQueue(pool, new JobTable(pool));
    const lines = new PayoutLines(pool);
    const door = new PaymentDoor({ store, clock, logger });
    const runner = new TaskRunner({
      reads,
      clock,
      logger,
      lists: new AccountLists({ queue, lines, door, clock, logger }),
      payouts: new PayoutTasks({ store, queue, lines, door, clock, logger }),
      reconciliation: new Reconciliation({ pool, store, queue, lines, clock }),
    });
    jobs.register(...runner.kinds());
    metrics.gauge(
      'accounts_unread',
      'Accounts one of whose lists was not read to its end for 36 hours',
      [],
      async (gauge) => gauge.set(await queue.unreadAccounts(clock.now(), UNREAD_MS)),
    );
  }
}
