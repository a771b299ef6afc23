import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { msOf, parseInstant } from '#kernel';
import { waitFor } from '#testing';
import { createLogger, startBusinessClock } from './index.js';

const logger = createLogger('spec', { level: 'silent' });

test('business time follows the clock at CLOCK_URL and never goes back', async () => {
  let now = '2030-01-01T00:00:00.000Z';
  const server = createServer((_, response) => response.end(JSON.stringify({ now, rate: 60 })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clock = await startBusinessClock(logger, `http://127.0.0.1:${port}/`);
  const first = clock.now();
  expect(first >= now && first < '2030-01-01T00:05:00.000Z').toBe(true);
  await sleep(20);
  expect(msOf(clock.now()) - msOf(first)).toBeGreaterThan(600);

  clock.moveTo(parseInstant('2030-01-08T00:00:00Z'));
  expect(clock.now() >= '2030-01-08T00:00:00.000Z').toBe(true);
  now = '2030-01-07T00:00:00.000Z';
  await sleep(400);
  expect(clock.now() >= '2030-01-08T00:00:00.000Z').toBe(true);
  clock.stop();
  server.close();
});

test('the clock at CLOCK_URL is polled rarely while it runs in real time, and often after it was moved', async () => {
  let reads = 0;
  const server = createServer((_, response) => {
    reads += 1;
    response.end(JSON.stringify({ now: new Date().toISOString(), rate: 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clock = await startBusinessClock(logger, `http://127.0.0.1:${port}/`);
  await sleep(800);
  expect(reads).toBe(1);
  clock.moveTo(clock.now());
  await waitFor(() => Promise.resolve(reads >= 3), { timeoutMs: 1_500 });
  clock.stop();
  server.close();
});

test('without CLOCK_URL business time is real time', async () => {
  const clock = await startBusinessClock(logger, undefined);
  expect(Math.abs(msOf(clock.now()) - Date.now())).toBeLessThan(1_000);
});
