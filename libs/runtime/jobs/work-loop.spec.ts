import { setTimeout as sleep } from 'node:timers/promises';
import { gate, waitFor } from '#testing';
import { createLogger } from '#platform';
import { WorkLoop } from './work-loop.js';

const logger = createLogger('spec', { level: 'silent' });

const loopOver = (jobs: number[], run: (job: number) => Promise<void>, width = 3) =>
  new WorkLoop<number>({
    name: 'spec',
    logger,
    width,
    idleMs: { first: 5, longest: 5 },
    run,
    claim: (limit) => Promise.resolve(jobs.splice(0, limit)),
  });

test('the work loop runs at most as many jobs simultaneously as its configured width allows', async () => {
  const jobs = Array.from({ length: 20 }, (_, index) => index);
  let now = 0;
  let most = 0;
  let ended = 0;
  const loop = loopOver(jobs, async () => {
    now += 1;
    most = Math.max(most, now);
    await sleep(2);
    now -= 1;
    ended += 1;
  });
  loop.start();
  await waitFor(() => ended === 20);
  await loop.stop();
  expect(most).toBe(3);
});

test('a stopped work loop finishes the jobs in progress and claims no more', async () => {
  const jobs = [1, 2];
  const ended: number[] = [];
  let begun = false;
  const ending = gate();
  const loop = loopOver(
    jobs,
    async (job) => {
      begun = true;
      await ending.opened;
      ended.push(job);
    },
    1,
  );
  loop.start();
  await waitFor(() => begun);
  const stopped = loop.stop();
  ending.open();
  await stopped;
  expect(ended).toEqual([1]);
  expect(jobs).toEqual([2]);
});

test('the work loop continues after a failed job and after a failed claim', async () => {
  let claims = 0;
  const ended: number[] = [];
  const loop = new WorkLoop<number>({
    name: 'spec',
    logger,
    width: 2,
    idleMs: { first: 1, longest: 1 },
    claim: () => {
      claims += 1;
      if (claims === 1) return Promise.reject(new Error('the database is away'));
      return Promise.resolve(claims < 5 ? [claims] : []);
    },
    run: (job) => {
      if (job === 2) return Promise.reject(new Error('a bug'));
      ended.push(job);
      return Promise.resolve();
    },
  });
  loop.start();
  await waitFor(() => ended.length === 2);
  await loop.stop();
  expect(ended).toEqual([3, 4]);
});

test('the work loop claims earlier when it is notified of new work', async () => {
  const jobs: number[] = [];
  let ended = 0;
  const loop = new WorkLoop<number>({
    name: 'spec',
    logger,
    width: 1,
    idleMs: { first: 60_000, longest: 60_000 },
    claim: (limit) => Promise.resolve(jobs.splice(0, limit)),
    run: () => {
      ended += 1;
      return Promise.resolve();
    },
  });
  loop.start();
  await sleep(5);
  jobs.push(1);
  loop.wake();
  await waitFor(() => ended === 1);
  await loop.stop();
});

test('the work loop claims no jobs while its width is exceeded by jobs that the process has begun without a claim', async () => {
  let claims = 0;
  const ending = gate();
  const loop = new WorkLoop<number>({
    name: 'spec',
    logger,
    width: 1,
    claim: async () => {
      claims += 1;
      if (claims > 3) await ending.opened;
      return [];
    },
    run: () => ending.opened,
  });
  loop.begin(1);
  loop.begin(2);
  loop.start();
  await sleep(20);
  expect(claims).toBe(0);
  ending.open();
  await loop.stop();
});
