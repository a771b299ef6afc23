import { DAY_MS, HOUR_MS, type Instant, msOf, parseInstant, plusMs, SECOND_MS } from '#kernel';
import type { Job } from '#jobs';
import type { ListPage } from '#psp';
import { HOSTED_CALENDAR } from '#psp-hosted';
import type { AccountJob } from './account-job.js';
import { readList } from './read-list.js';

const START: Instant = parseInstant('2030-03-01T06:05:00Z');

/** A list of the provider, newest first, and the job that reads it, whose progress is stored. */
class ListReader {
  readonly made: { readonly id: number; readonly at: Instant }[] = [];
  readonly taken = new Set<number>();
  now = START;
  isAway = false;
  /** The maximum number of items of a page, however many are requested. */
  pageSize = 100;
  private progress: AccountJob['progress'] = {};

  make(count: number): void {
    for (let n = 0; n < count; n += 1) {
      this.made.unshift({ id: this.made.length, at: this.now });
    }
  }

  /**
   * Reads the list; returns whether it reached the end. The provider may fail after the first page.
   */
  async read(): Promise<boolean> {
    const job: AccountJob = {
      accountId: 'acc_1',
      kind: 'account.disputes',
      key: 'acc_1',
      subjectId: null,
      subjectVersion: 0,
      dueAt: this.now,
      attempts: 1,
      found: 'waiting',
      isBegun: false,
      progress: this.progress,
      askedBy: [],
      claim: 'claim',
    };
    const save = (_job: unknown, progress: Job['progress']): Promise<void> => {
      this.progress = progress;
      return Promise.resolve();
    };
    const clock = { now: () => this.now };
    try {
      const end = await readList({ save }, clock, 'account.disputes', job, {
        calendar: HOSTED_CALENDAR,
        page: (from) => this.page(from),
        take: (items) => {
          for (const { id } of items) this.taken.add(id);
          return Promise.resolve();
        },
      });
      if (end.next === 'again') this.progress = end.progress ?? this.progress;
      return true;
    } catch {
      return false;
    }
  }

  private page({ createdSince, start }: ListPage) {
    if (this.isAway && start > 0) return Promise.reject(new Error('away'));
    const all = this.made.filter(({ at }) => msOf(at) >= createdSince * SECOND_MS);
    const items = all.slice(start, start + this.pageSize);
    return Promise.resolve({ items, hasMore: start + items.length < all.length });
  }
}

test('a list reader resumes reading a list at the page where it stopped', async () => {
  const reader = new ListReader();
  reader.make(250);
  reader.isAway = true;
  expect(await reader.read()).toBe(false);
  expect(reader.taken.size).toBe(100);
  reader.isAway = false;
  expect(await reader.read()).toBe(true);
  expect(reader.taken.size).toBe(250);
});

test('a list reader reads all pages of a list, even if the pages are shorter than requested', async () => {
  const reader = new ListReader();
  reader.make(250);
  reader.pageSize = 60;
  expect(await reader.read()).toBe(true);
  expect(reader.taken.size).toBe(250);
});

test('items that are created during a long read of a list are left to the next read', async () => {
  const reader = new ListReader();
  reader.make(150);
  reader.isAway = true;
  await reader.read();
  reader.now = plusMs(reader.now, HOUR_MS);
  reader.make(1);
  reader.now = plusMs(reader.now, 3 * DAY_MS);
  reader.isAway = false;
  expect(await reader.read()).toBe(true);
  reader.now = plusMs(reader.now, HOUR_MS);
  await reader.read();
  expect(reader.taken.size).toBe(151);
});

test('the next read of a list requests only items created since shortly before the last read', async () => {
  const reader = new ListReader();
  reader.make(5);
  await reader.read();
  reader.taken.clear();
  reader.now = plusMs(reader.now, 3 * DAY_MS);
  await reader.read();
  reader.taken.clear();
  await reader.read();
  expect(reader.taken.size).toBe(0);
});
