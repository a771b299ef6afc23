import { errorKind } from '#event-store';
import type { Clock } from '#kernel';
import { BudgetSpent, isProviderError } from '#provider';
import type { Logger } from '#platform';
import { type AccountTask, JournalBehind, type TaskEnd, TaskLapsed } from './account-task.js';
import type { AccountLists } from './account-lists.js';
import type { BackgroundReads, Reader } from './background-reads.js';
import type { PayoutTasks } from './payout-tasks.js';
import type { Reconciliation } from './reconciliation.js';
import type { TaskQueue } from './task-queue.js';
import { afterRefusal, afterUnavailable } from './task-schedule.js';

const AFTER_FAILURE_MS = 5_000;
/** Each try reads the provider, and only a process of a newer release gets any further. */
const FOR_NEWER_RELEASE_MS = 60_000;

export interface TaskRunnerParts {
  readonly queue: Pick<TaskQueue, 'ended' | 'putBack'>;
  readonly reads: Pick<BackgroundReads, 'of'>;
  readonly lists: AccountLists;
  readonly payouts: PayoutTasks;
  readonly reconciliation: Reconciliation;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Carries out what is due for an account, and says when it is due again. */
export class TaskRunner {
  constructor(private readonly parts: TaskRunnerParts) {}

  async run(task: AccountTask): Promise<void> {
    const { queue, logger } = this.parts;
    try {
      await queue.ended(task, await this.carryOut(task, await this.parts.reads.of(task.accountId)));
    } catch (error) {
      if (error instanceof TaskLapsed) return;
      if (error instanceof BudgetSpent) {
        await queue.putBack(task, error.waitMs);
        return;
      }
      const { accountId, kind, subject } = task;
      const isNoFault = isProviderError(error) || error instanceof JournalBehind;
      const level = isNoFault ? 'warn' : 'error';
      logger[level]({ accountId, kind, subject, err: error }, 'a task is put off');
      if (!isProviderError(error)) {
        const isNewer = errorKind(error) === 'newer';
        await queue.putBack(task, isNewer ? FOR_NEWER_RELEASE_MS : AFTER_FAILURE_MS);
      } else await queue.ended(task, this.later(task, error.kind === 'unavailable'));
    }
  }

  private carryOut(task: AccountTask, reader: Reader): Promise<TaskEnd> {
    const { lists, payouts, reconciliation } = this.parts;
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
        return reconciliation.run(task, reader.account);
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
