import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { HOUR_MS } from '#kernel';
import { EventStore } from '#log';
import { Jobs, JobTable } from '#jobs';
import { type BusinessClock, CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { BackgroundReads } from '../reads/background-reads.js';
import { AccountLists } from './account-lists.js';
import { PaymentIngest } from './ingest-payments.js';
import { PaymentReferences } from './payment-references.js';
import { PayoutLines } from './payout-lines.js';
import { PayoutTasks } from './payout-tasks.js';
import { Reconciliation } from './reconciliation.js';
import { TaskQueue } from './task-queue.js';
import { TaskRunner } from './task-runner.js';

/** Accounts count as unread after this time; normally each list is read at least once a day. */
const UNREAD_MS = 36 * HOUR_MS;

/** Reads payouts and disputes and reconciles them, in this worker. */
@Injectable()
export class PayoutsProcess {
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
    const references = new PaymentReferences(lines, logger);
    const ingest = new PaymentIngest(store, clock, logger);
    const lists = new AccountLists(queue, references, ingest, clock);
    const payouts = new PayoutTasks(store, queue, lines, references, ingest, clock, logger);
    const reconciliation = new Reconciliation(pool, store, queue, lines, clock);
    const runner = new TaskRunner(reads, lists, payouts, reconciliation, clock, logger);
    jobs.register(...runner.kinds());
    metrics.gauge(
      'accounts_with_overdue_reads',
      'Accounts one of whose lists was not read to its end for 36 hours',
      [],
      async (gauge) => gauge.set(await queue.unreadAccounts(clock.now(), UNREAD_MS)),
    );
  }
}
