import { createDatabase, type TestDatabase } from '#testing';
import { Pool } from 'pg';
import { ClockCheck } from './clock-check.js';
import { HealthChecks } from './health.js';
import { createLogger } from './logger.js';
import { Metrics } from './metrics.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const clockThatIs = (aheadMs: () => number, on = pool) => {
  const parts = {
    pool: on, health: new HealthChecks(), metrics: new Metrics(),
    logger: createLogger('spec', { level: 'silent' }),
  };
  const clock = new ClockCheck({ ...parts, wallMs: () => Date.now() + aheadMs() });
  return { ...parts, clock, claim: clock.timed(() => Promise.resolve(['due'])) };
};

const HOUR_MS = 3_600_000;

test.each([
  ['ahead', 55 * 60_000, 3_300], ['behind', -HOUR_MS, -3_600],
])('a clock that is %s does no timed work, and says so', async (_what, aheadMs, seconds) => {
  const { clock, claim, health, metrics } = clockThatIs(() => aheadMs);
  await clock.onModuleInit();
  expect(clock.isOff).toBe(true);
  expect(await claim(1)).toEqual([]);
  const { status, checks } = await health.ready();
  expect(status).toBe('down');
  expect(checks['clock']?.reason).toContain('off the database');
  const told = /^clock_offset_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1];
  expect(Math.round(Number(told) / 60)).toBe(Math.round(seconds / 60));
  clock.onModuleDestroy();
});

test('a clock that is right does, also after it was off', async () => {
  let aheadMs = HOUR_MS;
  const { clock, claim, health } = clockThatIs(() => aheadMs);
  await clock.check();
  expect(await claim(1)).toEqual([]);
  aheadMs = 1_000;
  await clock.check();
  expect(clock.isOff).toBe(false);
  expect(await claim(1)).toEqual(['due']);
  expect((await health.ready()).status).toBe('up');
});

test('while the database is away nothing is said of the clock', async () => {
  const away = new Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  const { clock } = clockThatIs(() => HOUR_MS, away);
  await clock.check();
  expect(clock.isOff).toBe(false);
  await away.end();
});
