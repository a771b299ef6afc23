import { setTimeout as sleep } from 'node:timers/promises';
import { Idle } from './idle.js';

/** Measures the duration of each wait in milliseconds. */
const waits = async (idle: Idle, count: number): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const sinceMs = performance.now();
    idle.reading();
    await idle.wait();
    took.push(performance.now() - sinceMs);
  }
  return took;
};

test('the pauses of a poller grow up to the maximum while it finds no work', async () => {
  const [first = 0, second = 0, third = 0, fourth = 0] = await waits(
    new Idle({ first: 20, longest: 45 }),
    4,
  );
  expect(first).toBeGreaterThanOrEqual(18);
  expect(second).toBeGreaterThanOrEqual(28);
  expect(third).toBeGreaterThanOrEqual(43);
  expect(fourth).toBeGreaterThanOrEqual(43);
});

test('a notification ends the pause of a poller, and the poller’s next pause is short', async () => {
  const idle = new Idle({ first: 1, longest: 60_000 });
  await waits(idle, 12);
  const waiting = waits(idle, 1);
  idle.wake();
  expect((await waiting)[0]).toBeLessThan(40);
  expect((await waits(idle, 1))[0]).toBeLessThan(40);
});

test('a notification during a read makes the poller read again immediately, unlike a notification before the read', async () => {
  const idle = new Idle({ first: 100 });
  idle.wake();
  idle.reading();
  idle.wake();
  const sinceMs = performance.now();
  await idle.wait();
  expect(performance.now() - sinceMs).toBeLessThan(90);
  idle.wake();
  expect((await waits(idle, 1))[0]).toBeGreaterThanOrEqual(95);
});

test('a poller that is notified often waits for a minimum time, and then reads the work of all notifications together', async () => {
  const idle = new Idle({ first: 10_000, gather: 50 });
  idle.reading();
  idle.wake();
  const sinceMs = performance.now();
  await idle.wait();
  expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(48);
});

test('when work arrives after a quiet time, a poller first reads a few times without waiting, and then at most once per minimum time', async () => {
  const idle = new Idle({ first: 10_000, gather: 50, burst: 3 });
  const wokenWait = async (): Promise<number> => {
    const sinceMs = performance.now();
    idle.reading();
    idle.wake();
    await idle.wait();
    return performance.now() - sinceMs;
  };
  const begunMs = performance.now();
  for (let read = 0; read < 2; read += 1) expect(await wokenWait()).toBeLessThan(25);
  for (let read = 0; read < 4; read += 1) await wokenWait();
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(195);
  await sleep(150);
  expect(await wokenWait()).toBeLessThan(25);
});

test('a long pause of a poller is shortened when more work is likely', async () => {
  const idle = new Idle({ first: 1, longest: 60_000 });
  await waits(idle, 14);
  const waiting = waits(idle, 1);
  await sleep(5);
  idle.soon();
  expect((await waiting)[0]).toBeLessThan(60);
});

test('an aborted signal ends every wait of a poller', async () => {
  const ending = new AbortController();
  const idle = new Idle({ first: 60_000, gather: 60_000 });
  const waiting = idle.wait(ending.signal);
  ending.abort();
  await waiting;
});
