import type { Clock } from '#kernel';
import type { Calendar, ListPage, Page } from '#psp';
import type { AccountTask, ListKind, TaskEnd } from './account-task.js';
import type { TaskQueue } from './task-queue.js';
import { lookSince, nextLook, nextLookSince } from './task-schedule.js';

export interface ListLookParts {
  readonly queue: Pick<TaskQueue, 'save'>;
  readonly clock: Clock;
}

/** One list of an account: a page of it is one call, and what is on it is taken in. */
export interface AccountList<T> {
  readonly page: (from: ListPage) => Promise<Page<T>>;
  readonly take: (items: readonly T[]) => Promise<void>;
  readonly calendar: Calendar;
}

/**
 * Takes in what a list shows since the last look, page by page, and goes on where it was left. What
 * is made meanwhile comes before the pages that are read already: so the next look asks from when
 * this one began, however long it was held up. Throws what `page` and `take` throw.
 */
export const lookThrough = async <T>(
  { queue, clock }: ListLookParts,
  kind: ListKind,
  task: AccountTask,
  { page, take, calendar }: AccountList<T>,
): Promise<TaskEnd> => {
  const { accountId, progress } = task;
  const { createdSince: known = 0, start = 0, begunAt = clock.now() } = progress;
  const createdSince = lookSince(kind, known, begunAt);
  for (let from = start, isLonger = true; isLonger;) {
    const { items, hasMore } = await page({ createdSince, start: from });
    await take(items);
    from += items.length;
    isLonger = hasMore;
    const next = { ...progress, createdSince: known, start: from, begunAt };
    if (isLonger) await queue.save(task, next);
  }
  return {
    next: 'again',
    tries: 0,
    dueAt: nextLook(kind, accountId, begunAt, calendar),
    progress: { createdSince: nextLookSince(kind, known, begunAt), lookedAt: begunAt },
  };
};
