import type { Clock } from '#kernel';
import type { Calendar, ListPage, Page } from '#psp';
import type { JobEnd, JobTable } from '#jobs';
import { type AccountJob, again, type ListKind } from './account-job.js';
import { listReadSince, nextListRead, nextListReadSince } from './read-schedule.js';

/**
 * One of the provider's lists for an account: `page` reads a page with one call, `take` records the
 * page's items.
 */
export interface AccountList<T> {
  readonly page: (from: ListPage) => Promise<Page<T>>;
  readonly take: (items: readonly T[]) => Promise<void>;
  readonly calendar: Calendar;
}

/**
 * Reads the items of a list that were created since the last read began, page by page. An
 * interrupted read resumes at the page where it stopped. Items created during a read appear on
 * pages that were already read, so the next read covers the time since the beginning of this read.
 * Rethrows the errors of `page` and `take`.
 */
export const readList = async <T>(
  table: Pick<JobTable, 'save'>,
  clock: Clock,
  kind: ListKind,
  job: AccountJob,
  { page, take, calendar }: AccountList<T>,
): Promise<JobEnd> => {
  const { accountId, progress } = job;
  const { createdSince: known = 0, start = 0, begunAt = clock.now() } = progress;
  const createdSince = listReadSince(kind, known, begunAt);
  for (let from = start, isLonger = true; isLonger;) {
    const { items, hasMore } = await page({ createdSince, start: from });
    await take(items);
    from += items.length;
    isLonger = hasMore;
    const next = { ...progress, createdSince: known, start: from, begunAt };
    if (isLonger) await table.save(job, next);
  }
  return again(job, nextListRead(kind, accountId, begunAt, calendar), 0, {
    createdSince: nextListReadSince(kind, known, begunAt),
    readAt: begunAt,
  });
};
