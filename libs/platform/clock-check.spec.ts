import { createDatabase, specPool, type TestDatabase } from '#testing';
import type { Pool } from 'pg';
import { ClockCheck } from './clock-check.js';
import { HealthChecks } from './health.js';
import { createLogger } from './logger.js';
import { Metrics } from './metrics.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = specPool(database.url, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const clockThatIs = (aheadMs: () => number, on = pool) => {
  const parts = {
    pool: on,
    health: new HealthChecks(),
    metrics: new Metrics(),
    logger: createLogger('spec', { level: 'silent' }),
  };
  const { health, metrics, logger } = parts;
  const wallMs = () => Date.now() + aheadMs();
  return { ...parts, clock: new ClockCheck(parts.pool, health, metrics, logger, wallMs) };
};

const HOUR_MS = 3_600_000;

test.each([
  ['ahead', 55 * 60_000, 3_300],
  ['behind', -HOUR_MS, -3_600],
])(
  "a process whose clock is %s the database's clock reports the offset and runs no timed work",
  async (_what, aheadMs, seconds) => {
    const { clock, health, metrics } = clockThatIs(() => aheadMs);
    await clock.onModuleInit();
    expect(clock.isRight).toBe(false);
    const { status, checks } = await health.ready();
    expect(status).toBe('down');
    expect(checks['clock']?.reason).toContain('off the database');
    const shown = /^clock_offset_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1];
    expect(Math.round(Number(shown) / 60)).toBe(Math.round(seconds / 60));
    clock.onModuleDestroy();
  },
);

test('a process whose clock has just jumped runs no timed work, even before the next comparison', async () => {
  let aheadMs = 0;
  const { clock, health } = clockThatIs(() => aheadMs);
  await clock.check();
  expect(clock.isRight).toBe(true);
  aheadMs = HOUR_MS;
  expect(clock.isRight).toBe(false);
  expect((await health.ready()).checks['clock']?.reason).toContain('has jumped');
  aheadMs = 0;
  expect(clock.isRight).toBe(true);
});

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a process whose clock jumps %s during a comparison runs no timed work', async (_what, jump) => {
  let aheadMs = 0;
  const { clock } = clockThatIs(() => aheadMs);
  const compared = clock.check();
  aheadMs = jump;
  await compared;
  expect(clock.isRight).toBe(false);
});

test('a process with a correct clock runs timed work, even if the clock was wrong before', async () => {
  let aheadMs = HOUR_MS;
  const { clock, health } = clockThatIs(() => aheadMs);
  await clock.check();
  expect(clock.isRight).toBe(false);
  aheadMs = 1_000;
  await clock.check();
  expect(clock.isRight).toBe(true);
  expect((await health.ready()).status).toBe('up');
});

/**
 * The offset of the clock before and after a comparison that took 13 s: the database read its clock
 * at an unknown moment within this time.
 */
const SLOW = [-1_000, 12_000] as const;

test.each([
  ['off', HOUR_MS, false],
  ['right', 0, true],
])(
  'a comparison that took too long does not change the last result: %s',
  async (_, aheadMs, isRight) => {
    const readings: number[] = [];
    const { clock } = clockThatIs(() => readings.shift() ?? aheadMs);
    await clock.check();
    expect(clock.isRight).toBe(isRight);
    readings.push(...SLOW);
    await clock.check();
    expect(readings).toEqual([]);
    expect(clock.isRight).toBe(isRight);
  },
);

test('after a slow comparison a clock counts as wrong only if it was wrong at every moment of the comparison', async () => {
  const readings = [0, 0, HOUR_MS, HOUR_MS + 13_000];
  const { clock } = clockThatIs(() => readings.shift() ?? 0);
  await clock.check();
  await clock.check();
  expect(clock.isRight).toBe(false);
});

test('a clock counts as correct only after the first comparison has found it correct', async () => {
  const readings: number[] = [...SLOW];
  const { clock, health } = clockThatIs(() => readings.shift() ?? 0);
  expect(clock.isRight).toBe(false);
  await clock.check();
  expect(clock.isRight).toBe(false);
  expect((await health.ready()).checks['clock']?.reason).toContain('not compared');
  await clock.check();
  expect(clock.isRight).toBe(true);
});

test('a process keeps the last result about its clock while the database is down', async () => {
  const away = specPool('postgres://none@127.0.0.1:1/none');
  let on = away;
  const { clock } = clockThatIs(() => 0, {
    query: (sql: string) => on.query(sql),
  } as unknown as Pool);
  await clock.check();
  expect(clock.isRight).toBe(false);
  on = pool;
  await clock.check();
  expect(clock.isRight).toBe(true);
  on = away;
  await clock.check();
  expect(clock.isRight).toBe(true);
  await away.end();
});
