import type { HttpApp } from '#platform';
import { DAY_MS, type Instant, parseInstant, plusMs } from '#kernel';
import { send, waitFor } from '#testing';
import { basic, type Harness, startHarness, TEST_KEY } from '../testing/harness.js';

/** Two processes on one database. */
let one: Harness;
let other: HttpApp;
beforeAll(async () => {
  one = await startHarness();
  other = await one.startAnother();
});
afterAll(async () => {
  await other.close();
  await one.stop();
});

interface ClockStatus {
  readonly now: Instant;
  readonly rate: number;
}

const call = async (url: string, method: string, path: string, body?: object) => {
  const headers = { authorization: basic(TEST_KEY) };
  const { status, text } = await send(`${url}${path}`, { method, headers, body });
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as unknown;
};
const clockOf = async (url: string): Promise<ClockStatus> => {
  const { now, rate } = (await call(url, 'GET', '/sandbox/clock')) as ClockStatus;
  return { now: parseInstant(now), rate };
};
const change = (url: string, body: object) => call(url, 'POST', '/sandbox/clock', body);

test('the stored clock never goes back when another process changes its rate', async () => {
  await change(one.url, { advance: 'P7D' });
  const { now } = await clockOf(one.url);
  await change(other.url, { rate: 1 });
  await one.restart();
  expect((await clockOf(one.url)).now > now).toBe(true);
});

test('a move begins at the time that another process has stored', async () => {
  const { now } = await clockOf(one.url);
  await change(one.url, { advance: 'P7D' });
  await change(other.url, { advance: 'P1D' });
  expect((await clockOf(other.url)).now >= plusMs(now, 8 * DAY_MS)).toBe(true);
});

test('a process adopts the time and the rate that another process has stored', async () => {
  await change(one.url, { advance: 'P7D' });
  await change(one.url, { rate: 60 });
  const { now } = await clockOf(one.url);
  await waitFor(async () => (await clockOf(other.url)).now > now, { timeoutMs: 20_000 });
  expect(await clockOf(other.url)).toMatchObject({ rate: 60 });
  await change(one.url, { rate: 1 });
  await waitFor(async () => (await clockOf(other.url)).rate === 1, { timeoutMs: 20_000 });
  await one.restart();
  expect(await clockOf(one.url)).toMatchObject({ rate: 1 });
});
