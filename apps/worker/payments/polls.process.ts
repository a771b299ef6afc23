import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { Jobs, JobTable } from '#jobs';
import { ORCHESTRATION } from '#orchestrator';
import { PAYMENT_READ_DEADLINE } from '#payment';
import { type BusinessClock, CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { BackgroundReads } from '../reads/background-reads.js';
import { intentReader } from '../reads/intent-reads.js';
import { sagaDeadlines } from '../sagas/saga-deadlines.js';
import { LostDebitList } from './lost-debit-list.js';
import { PaymentPoller, UNANSWERED_RETRY_MS } from './payment-poller.js';
import { RestoredPayment } from './restored-payment.js';

/**
 * The part of a worker that runs due reads and deadlines of payments and orders, and reads after a
 * database restore.
 */
@Injectable()
export class PollsProcess {
  constructor(
    pool: Pool,
    store: EventStore,
    reads: BackgroundReads,
    jobs: Jobs,
    metrics: Metrics,
    @Inject(CLOCK) clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const clientOf = async (accountId: string) => intentReader(await reads.of(accountId));
    jobs.register(
      new PaymentPoller(store, clock, logger, clientOf),
      new RestoredPayment(pool, store, clock, logger, clientOf),
      new LostDebitList(
        pool,
        clock,
        logger,
        async (accountId) => (await reads.find(accountId))?.payouts ?? null,
      ),
      ...sagaDeadlines(store, ORCHESTRATION.sagas),
    );
    const table = new JobTable(pool);
    metrics.gauge(
      'payment_read_overdue_seconds',
      'Seconds of business time since the oldest overdue read of a payment was due',
      [],
      async (gauge) =>
        gauge.set(
          await table.overdueSeconds(clock.now(), PAYMENT_READ_DEADLINE, UNANSWERED_RETRY_MS),
        ),
    );
  }
}
