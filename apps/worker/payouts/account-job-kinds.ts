import type { Clock, Instant } from '#kernel';
import { type JobEnd, type JobKind, triesOf } from '#jobs';
import { BudgetSpent, type Capabilities, isProviderError, type ProviderError } from '#psp';
import type { Logger } from '#platform';
import type { BackgroundReads, Reader } from '../reads/background-reads.js';
import type { AccountJobs } from './account-jobs.js';
import type { AccountLists } from './account-lists.js';
import {
  ACCOUNT_KINDS,
  type AccountJob,
  accountJob,
  type AccountKind,
  again,
  JournalBehind,
  type ListKind,
} from './account-job.js';
import type { PayoutReads } from './payout-reads.js';
import type { Reconciliation } from './reconciliation.js';
import { afterRefusal, afterUnavailable, nextListRead } from './read-schedule.js';

/** The retry interval while the journal lags behind the event log, in wall-clock time. */
const BEHIND_MS = 5_000;

/**
 * Whether this kind of job is needed for a provider with these capabilities. Refunds and disputes,
 * for example, are polled only if no webhooks report them.
 */
const isPolled = (kind: AccountKind, { payouts, sends }: Capabilities): boolean => {
  switch (kind) {
    case 'account.refunds':
      return payouts && !sends.includes('refund');
    case 'account.disputes':
      return payouts && !sends.includes('dispute');
    case 'account.payments':
    case 'account.payouts':
      return payouts;
    case 'account.reconcile':
    case 'payout.read':
    case 'payout.lines':
      return true;
  }
};

/** Ends a job whose list need not be polled, as if an empty list had been read. */
const skipped = (job: AccountJob, { calendar }: Reader, at: Instant): JobEnd => {
  const { kind, accountId, progress } = job;
  const dueAt = nextListRead(kind as ListKind, accountId, at, calendar);
  return again(job, dueAt, 0, { ...progress, readAt: at });
};

/** Runs an account's due jobs, and schedules their next runs. */
export class AccountJobKinds {
  constructor(
    private readonly accountJobs: Pick<AccountJobs, 'isClosed'>,
    private readonly reads: Pick<BackgroundReads, 'of'>,
    private readonly lists: AccountLists,
    private readonly payouts: PayoutReads,
    private readonly reconciliation: Reconciliation,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  kinds(): readonly JobKind[] {
    return ACCOUNT_KINDS.map((kind) => ({
      kind,
      lane: 'lists',
      run: (job) => this.run(accountJob(kind, job)),
    }));
  }

  private async run(job: AccountJob): Promise<JobEnd> {
    const { kind, accountId, key } = job;
    try {
      return await this.execute(job, await this.reads.of(accountId));
    } catch (err) {
      if (err instanceof BudgetSpent) return { next: 'later', waitMs: err.waitMs };
      const isNoFault = isProviderError(err) || err instanceof JournalBehind;
      if (!isNoFault) throw err;
      this.logger.warn({ accountId, kind, key, err }, 'the read of an account is postponed');
      return isProviderError(err)
        ? await this.later(job, err)
        : { next: 'later', waitMs: BEHIND_MS };
    }
  }

  private execute(job: AccountJob, reader: Reader): Promise<JobEnd> {
    const { lists, payouts, reconciliation, clock } = this;
    if (!isPolled(job.kind, reader.capabilities)) {
      return Promise.resolve(skipped(job, reader, clock.now()));
    }
    switch (job.kind) {
      case 'account.payments':
      case 'account.refunds':
      case 'account.disputes':
        return lists.read(job.kind, job, reader);
      case 'account.payouts':
        return payouts.findPayouts(job, reader);
      case 'payout.read':
        return payouts.follow(job, reader);
      case 'payout.lines':
        return payouts.readLines(job, reader);
      case 'account.reconcile':
        return reconciliation.run(job, reader);
    }
  }

  /**
   * Schedules the next run in business time, so that a move of the simulated clock makes the run
   * due. For a payout, `tries` counts the reads that showed nothing new; for an account's job, the
   * consecutive failures.
   */
  private async later(job: AccountJob, { kind }: ProviderError): Promise<JobEnd> {
    const now = this.clock.now();
    const tries = triesOf(job) + (job.key === job.accountId ? 1 : 0);
    const dueAt = kind === 'unavailable' ? afterUnavailable(now) : afterRefusal(now);
    if (kind !== 'unauthorized') return again(job, dueAt, tries);
    const closed = await this.accountJobs.isClosed(job.accountId, now);
    return again(job, dueAt, tries, { ...job.progress, closed });
  }
}
