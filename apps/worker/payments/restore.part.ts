import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { WorkLoop } from '#jobs';
import { type BusinessClock, CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { BackgroundReads } from '../reads/background-reads.js';
import { intentReader } from '../reads/intent-reads.js';
import { type LostDebitRead, LostDebitReads } from './lost-debit-reads.js';
import { type RestoreRead, RestoreReads } from './restore-reads.js';

const READS_AT_ONCE = 8;
/** Rows come at the start of a process, and hardly ever. */
const IDLE_MS = { first: 100, widest: 2_000 };

/** What is read at the provider since a restore, in this worker; calls wait for it. */
@Injectable()
export class RestorePart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly payments: WorkLoop<RestoreRead>;
  private readonly debits: WorkLoop<LostDebitRead>;

  constructor(
    pool: Pool, store: EventStore, reads: BackgroundReads, metrics: Metrics,
    @Inject(CLOCK) clock: BusinessClock, @Inject(LOGGER) logger: Logger,
  ) {
    const payments = new RestoreReads({
      pool, store, clock, logger,
      clientOf: async (accountId) => intentReader(await reads.of(accountId)),
    });
    const debits = new LostDebitReads({
      pool, logger,
      listPayments: async (accountId, page) =>
        (await reads.of(accountId)).payouts.listPayments(page),
    });
    this.payments = new WorkLoop({
      name: 'reads after a restore', logger, width: READS_AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => payments.claim(limit),
      run: (read) => payments.run(read),
    });
    this.debits = new WorkLoop({
      name: 'debits that a restore lost', logger, width: READS_AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => debits.claim(limit),
      run: (read) => debits.run(read),
    });
    metrics.gauge(
      'restore_reads_left', 'Payments to be read since a restore: their accounts make no calls', [],
      async (gauge) => gauge.set((await payments.left()).payments),
    );
    metrics.gauge(
      'lost_debit_reads_left',
      'Accounts whose payments are to be listed since a restore: they debit no mandate', [],
      async (gauge) => gauge.set(await debits.left()),
    );
  }

  onApplicationBootstrap(): void {
    this.payments.start();
    this.debits.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.payments.stop(), this.debits.stop()]);
  }
}
