import { ClockCheck, HealthChecks, IdleChecks, Metrics } from '#platform';
import { quiet } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';
import { PayoutsPart } from './payouts.part.js';

let bench: PayoutsBench;
beforeAll(async () => {
  bench = await PayoutsBench.open();
});
afterAll(() => bench.close());

test('an account of this moment is due before the followed clock moves on', async () => {
  const { pool, store, clock } = bench.bench;
  const idle = new IdleChecks();
  const metrics = new Metrics();
  const wall = new ClockCheck({ pool, health: new HealthChecks(), metrics, logger: quiet });
  const followed = { now: () => clock.now(), moveTo: () => {}, onMoved: () => {}, stop: () => {} };
  // Its loop has not looked yet.
  new PayoutsPart(pool, store, bench.reads, idle, metrics, wall, followed, quiet);
  expect(await idle.untilIdle(0)).toBe('account tasks: 5 due');
});
