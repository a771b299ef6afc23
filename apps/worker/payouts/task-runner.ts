import type { Clock, Instant } from '#kernel';
import type { Job, JobEnd, JobKind } from '#jobs';
import { BudgetSpent, type Capabilities, isProviderError } from '#psp';
import type { Logger } from '#platform';
import type { BackgroundReads, Reader } from '../reads/background-reads.js';
import type { AccountLists } from './account-lists.js';
import {
  type AccountTask,
  jobEndOf,
  jobKindOf,
  JournalBehind,
  type ListKind,
  TASK_KINDS,
  type TaskEnd,
  type TaskKind,
  taskOf,
} from './account-task.js';
import type { PayoutTasks } from './payout-tasks.js';
import type { Reconciliation } from './reconciliation.js';
import { afterRefusal, afterUnavailable, nextLook } from './task-schedule.js';

/** Wall time, while the journal is behind the log. */
const BEHIND_MS = 5_000;

export interface TaskRunnerParts {
  readonly reads: Pick<BackgroundReads, 'of'>;
  readonly lists: AccountLists;
  readonly payouts: PayoutTasks;
  readonly reconciliation: Reconciliation;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Lists show what no webhook sends, of a provider that has lists. */
const isPolled = (kind: TaskKind, { payouts, sends }: Capabilities): boolean => {
  switch (kind) {
    case 'refunds':
      return payouts && !sends.includes('refund');
    case 'disputes':
      return payouts && !sends.includes('dispute');
    case 'payments':
    case 'payouts':
      return payouts;
    case 'payout':
    case 'lines':
    case 'reconcile':
      return true;
  }
};

/** As if it had been read, and nothing had been in it. */
const unread = (task: AccountTask, { calendar }: Reader, lookedAt: Instant): TaskEnd => ({
  next: 'again',
  tries: 0,
  dueAt: nextLook(task.kind as ListKind, task.accountId, lookedAt, calendar),
  progress: { ...task.progress, lookedAt },
});

/** Carries out what is due for an account, and says when it is due again. */
export class TaskRunner {
  constructor(private readonly parts: TaskRunnerParts) {}

  kinds(): readonly JobKind[] {
    return TASK_KINDS.map((kind) => ({
      kind: jobKindOf(kind),
      lane: 'lists',
      run: (job) => this.run(kind, job),
    }));
  }

  private async run(kind: TaskKind, job: Job): Promise<JobEnd> {
    const task = taskOf(kind, job);
    const { accountId, subject } = task;
    const { reads, logger } = this.parts;
    try {
      return jobEndOf(task, await this.carryOut(task, await reads.of(accountId)));
    } catch (err) {
      if (err instanceof BudgetSpent) return { next: 'later', waitMs: err.waitMs };
      const isNoFault = isProviderError(err) || err instanceof JournalBehind;
      if (!isNoFault) throw err;
      logger.warn({ accountId, kind, subject, err }, 'a task is put off');
      return isProviderError(err)
        ? jobEndOf(task, this.later(task, err.kind === 'unavailable'))
        : { next: 'later', waitMs: BEHIND_MS };
    }
  }

  private carryOut(task: AccountTask, reader: Reader): Promise<TaskEnd> {
    const { lists, payouts, reconciliation, clock } = this.parts;
    if (!isPolled(task.kind, reader.capabilities)) {
      return Promise.resolve(unread(task, reader, clock.now()));
    }
    switch (task.kind) {
      case 'payments':
      case 'refunds':
      case 'disputes':
        return lists.look(task.kind, task, reader);
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
   * In business time, so that a moved clock does not wait for it. The tries of one payout are those
   * without news, those of what stands for an account are its failures in a row.
   */
  private later({ subject, tries: before }: AccountTask, isAway: boolean): TaskEnd {
    const now = this.parts.clock.now();
    const tries = subject === '' ? before + 1 : before;
    return { next: 'again', dueAt: isAway ? afterUnavailable(now) : afterRefusal(now), tries };
  }
}
