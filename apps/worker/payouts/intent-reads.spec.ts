import { DeadlineQueue } from '../deadlines/deadline-queue.js';
import { Deadlines } from '../deadlines/deadlines.js';
import { PaymentPoller } from '../deadlines/payment-poller.js';
import { WorkLoop } from '../loop/work-loop.js';
import { ACCOUNT, quiet } from '../worker.fixture.js';
import { intentReader } from './intent-reads.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

const OPEN = 100_000;
const CALLS_PER_MINUTE = 600;

let payouts: PayoutsBench;

beforeAll(async () => {
  payouts = await PayoutsBench.open(CALLS_PER_MINUTE);
  const { pool } = payouts.bench;
  await pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT 'payment', 'pay_' || n, v.version, gen_random_uuid(), v.type, 1,
            (jsonb_build_object('at', '2030-03-01T09:00:00.000Z') || v.data)::json, '{}'
       FROM generate_series(1, $1::int) AS n
      CROSS JOIN LATERAL (VALUES
        (1, 'IntentRequested', jsonb_build_object('orderId', 'ord_' || n, 'platformId', 'plat_1',
           'accountId', $2::text, 'amountMinor', 1999, 'currency', 'eur',
           'methods', '["card"]'::jsonb, 'returnUrl', NULL, 'description', NULL)),
        (2, 'IntentCreated', jsonb_build_object('intentId', 'pi_' || n, 'pageUrl', 'https://p.example'))
      ) AS v(version, type, data)`, [OPEN, ACCOUNT]);
  await pool.query(
    `INSERT INTO deadlines (kind, key, due_at)
     SELECT 'payment.read', 'pay_' || n, '2030-03-01T10:00:00Z' FROM generate_series(1, $1::int) AS n`,
    [OPEN]);
}, 120_000);
afterAll(() => payouts.close());

test('100,000 open payments are read within the budget, and the oldest is told', async () => {
  const { bench, reads, provider } = payouts;
  const { store, clock, pool } = bench;
  const queue = new DeadlineQueue(pool);
  let held = 0;
  const loops = [1, 2].map(() => {
    const deadlines = new Deadlines();
    deadlines.register(new PaymentPoller({
      store, clock, logger: quiet,
      clientOf: async (accountId) => intentReader(await reads.of(accountId)),
      onHeldBack: () => void (held += 1),
    }));
    return new WorkLoop({
      name: 'reads', logger: quiet, width: 8, idleMs: { first: 50, widest: 150 },
      claim: (limit) => queue.claim(clock.now(), deadlines.patterns(), limit),
      run: (deadline) => deadlines.carryOut(deadline, queue, quiet),
    });
  });
  expect(await queue.overdueSeconds(clock.now(), 'payment.read')).toBe(7_200);
  const startedMs = performance.now();
  for (const loop of loops) loop.start();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await Promise.all(loops.map((loop) => loop.stop()));
  const seconds = (performance.now() - startedMs) / 1_000;
  // What was saved up for five seconds, and ten a second.
  expect(provider.calls.length).toBeLessThanOrEqual(50 + 10 * seconds + 1);
  expect(provider.calls.length).toBeGreaterThan(50);
  expect(held).toBeGreaterThan(0);
}, 60_000);
