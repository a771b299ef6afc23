import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { HOUR_MS } from '#kernel';
import { EventStore } from '#log';
import { Jobs, JobTable } from '#jobs';
import { type BusinessClock, CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { BackgroundReads } from '../reads/background-reads.js';
import { AccountLists } from './account-lists.js';
import { PaymentIngest } from './ingest-payments.js';
import { openBreaks } from './open-breaks.js';
import { PaymentReferences } from './payment-references.js';
import { PayoutLines } from './payout-lines.js';
import { PayoutReads } from './payout-reads.js';
import { Reconciliation } from './reconciliation.js';
import { AccountJobs } from './account-jobs.js';
import { AccountJobKinds } from './account-job-kinds.js';

/**
 * The metric counts accounts whose lists were not completely read for this long; normally each list
 * is read at least once a day.
 */
const UNREAD_MS = 36 * HOUR_MS;

/** The part of a worker that reads payouts and disputes and reconciles them with the ledger. */
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
    const table = new JobTable(pool);
    const accountJobs = new AccountJobs(pool);
    const lines = new PayoutLines(pool);
    const references = new PaymentReferences(lines, logger);
    const ingest = new PaymentIngest(store, clock, logger);
    const lists = new AccountLists(table, references, ingest, clock);
    const payouts = new PayoutReads(
      store,
      accountJobs,
      table,
      lines,
      references,
      ingest,
      clock,
      logger,
    );
    const reconciliation = new Reconciliation(pool, store, table, lines, clock);
    const kinds = new AccountJobKinds(
      accountJobs,
      reads,
      lists,
      payouts,
      reconciliation,
      clock,
      logger,
    );
    jobs.register(...kinds.kinds());
    metrics.gauge(
      'accounts_with_overdue_reads',
      'Accounts with a list whose last complete read was more than 36 hours ago',
      [],
      async (gauge) => gauge.set(await accountJobs.unreadAccounts(clock.now(), UNREAD_MS)),
    );
    metrics.gauge(
      'reconciliation_breaks_open',
      'Open reconciliation breaks, by their age in days',
      ['age'],
      async (gauge) => {
        for (const [age, breaks] of Object.entries(await openBreaks(pool, clock.now()))) {
          gauge.set({ age }, breaks);
        }
      },
    );
  }
}
