import type { Clock, Instant } from '#kernel';
import type { Job, JobEnd, JobKind } from '#jobs';
import { BudgetSpent, type Capabilities, isProviderError } from '#psp';
import type { Logger } from '#platform';
import type { BackgroundReads, Reader } from '../reads/background-reads.js';
import type { AccountLists } from './account-lists.js';
import {
  type AccountTask,
  again,
  JOB_KINDS,
  JournalBehind,
  type ListKind,
  TASK_KINDS,
  type TaskKind,
  taskOf,
} from './account-task.js';
import type { PayoutTasks } from './payout-tasks.js';
import type { Reconciliation } from './reconciliation.js';
import { afterRefusal, afterUnavailable, nextListRead } from './task-schedule.js';

/** The retry interval while the journal is behind the event log, in wall time. */
const BEHIND_MS = 5_000;

/**
 * Whether this kind of task runs for a provider: payouts are read if it has them, refunds unless
 * webhooks report them.
 */
const isPolled = (kind: TaskKind, { payouts, sends }: Capabilities): boolean => {
  switch (kind) {
    case 'refunds':
      return payouts && !sends.includes('refund');
    case 'disputes':
      return payouts && !sends.includes('dispute');
    case 'payments':
    case 'payouts':
      return payouts;
    case 'reconcile':
    case 'payout':
    case 'lines':
      return true;
  }
};

/** Treats a list that is not polled as an empty list that was read. */
const skipped = (task: AccountTask, { calendar }: Reader, at: Instant): JobEnd => {
  const { kind, accountId, progress } = task;
  const dueAt = nextListRead(kind as ListKind, accountId, at, calendar);
  return again(task, dueAt, 0, { ...progress, readAt: at });
};

/** Runs an account's due tasks, and schedules their next runs. */
export class TaskRunner {
  constructor(
    private readonly reads: Pick<BackgroundReads, 'of'>,
    private readonly lists: AccountLists,
    private readonly payouts: PayoutTasks,
    private readonly reconciliation: Reconciliation,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  kinds(): readonly JobKind[] {
    return TASK_KINDS.map((kind) => ({
      kind: JOB_KINDS[kind],
      lane: 'lists',
      run: (job) => this.run(kind, job),
    }));
  }

  private async run(kind: TaskKind, job: Job): Promise<JobEnd> {
    const task = taskOf(kind, job);
    const { accountId, key } = task;
    try {
      return await this.execute(task, await this.reads.of(accountId));
    } catch (err) {
      if (err instanceof BudgetSpent) return { next: 'later', waitMs: err.waitMs };
      const isNoFault = isProviderError(err) || err instanceof JournalBehind;
      if (!isNoFault) throw err;
      this.logger.warn({ accountId, kind, key, err }, 'a task is put off');
      return isProviderError(err)
        ? this.later(task, err.kind === 'unavailable')
        : { next: 'later', waitMs: BEHIND_MS };
    }
  }

  private execute(task: AccountTask, reader: Reader): Promise<JobEnd> {
    const { lists, payouts, reconciliation, clock } = this;
    if (!isPolled(task.kind, reader.capabilities)) {
      return Promise.resolve(skipped(task, reader, clock.now()));
    }
    switch (task.kind) {
      case 'payments':
      case 'refunds':
      case 'disputes':
        return lists.read(task.kind, task, reader);
      case 'payouts':
        return payouts.findPayouts(task, reader);
      case 'payout':
        return payouts.follow(task, reader);
      case 'lines':
        return payouts.readLines(task, reader);
      case 'reconcile':
        return reconciliation.run(task, reader);
    }
  }

  /**
   * Schedules the next run, in business time, so that it is due when the clock is moved. For a
   * payout, `tries` counts the reads that showed nothing new; for an account's task, the
   * consecutive failures.
   */
  private later(task: AccountTask, isAway: boolean): JobEnd {
    const now = this.clock.now();
    const tries = task.key === task.accountId ? task.tries + 1 : task.tries;
    return again(task, isAway ? afterUnavailable(now) : afterRefusal(now), tries);
  }
}
