import { BudgetSpent } from '#psp';
import { waitFor } from '#testing';
import { JobTable, WorkLoop } from '#jobs';
import { JobsBench } from '../jobs.fixture.js';
import { PaymentPoller } from '../payments/payment-poller.js';
import { PayoutsBench } from '../payouts/payouts-bench.fixture.js';
import { ACCOUNT, quiet } from '../worker.fixture.js';
import { intentReader } from './intent-reads.js';

/** Many more payments than the call budget allows workers to read within the time limit. */
const OPEN = 20_000;
const CALLS_PER_MINUTE = 600;

let payouts: PayoutsBench;

const OTHER_ACCOUNT = 'acc_2';
/**
 * The index of the second account's only payment, whose read is due long after all reads of the
 * first account.
 */
const LAST = OPEN + 1;

beforeAll(async () => {
  payouts = await PayoutsBench.open({ callsPerMinute: CALLS_PER_MINUTE });
  await payouts.register(OTHER_ACCOUNT, 'm_2', 'stest_other');
  const { admin: pool } = payouts.bench;
  await pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT 'payment', 'pay_' || n, v.version, gen_random_uuid(), v.type, 1,
            (jsonb_build_object('at', '2030-03-01T09:00:00.000Z') || v.data)::json, '{}'
       FROM generate_series(1, $1::int) AS n
      CROSS JOIN LATERAL (VALUES
        (1, 'IntentRequested', jsonb_build_object('orderId', 'ord_' || n, 'platformId', 'plat_1',
           'accountId', CASE WHEN n = $1 THEN $3::text ELSE $2::text END, 'amountMinor', 1999,
           'currency', 'eur', 'methods', '["card"]'::jsonb, 'returnUrl', NULL,
           'description', NULL)),
        (2, 'IntentCreated', jsonb_build_object('intentId', 'pi_' || n, 'pageUrl', 'https://p.example'))
      ) AS v(version, type, data)`,
    [LAST, ACCOUNT, OTHER_ACCOUNT],
  );
  await pool.query(
    `INSERT INTO jobs (kind, key, due_at)
     SELECT 'payment.read', 'pay_' || n,
            CASE WHEN n = $1 THEN '2030-03-01T11:59:00Z' ELSE '2030-03-01T10:00:00Z' END::timestamptz
       FROM generate_series(1, $1::int) AS n`,
    [LAST],
  );
});
afterAll(() => payouts.close());

/**
 * Two workers read payments until the condition is true; `heldBack` is the number of calls delayed
 * by the budget.
 */
const readUntil = async (isEnough: (heldBack: number) => boolean): Promise<void> => {
  const { bench, reads } = payouts;
  const { store, clock } = bench;
  let heldBack = 0;
  const workers = [1, 2].map(
    () =>
      new JobsBench(
        bench,
        new PaymentPoller(store, clock, quiet, async (accountId) => {
          const { paced } = await reads.of(accountId);
          return intentReader({
            paced: (pace) =>
              paced((call) =>
                pace(() =>
                  call().catch((error: unknown) => {
                    if (error instanceof BudgetSpent) heldBack += 1;
                    throw error;
                  }),
                ),
              ),
          });
        }),
      ),
  );
  const loops = workers.map(
    (worker) =>
      new WorkLoop({
        name: 'reads',
        logger: quiet,
        width: 24,
        idleMs: { first: 50, longest: 150 },
        claim: () => worker.claim(),
        run: (job) => worker.runner.run(job),
      }),
  );
  for (const loop of loops) loop.start();
  await waitFor(() => isEnough(heldBack), { timeoutMs: 300_000 });
  await Promise.all(loops.map((loop) => loop.stop()));
  for (const worker of workers) worker.stop();
};

test('two workers read 20,000 open payments within the call budget without delaying the reads of another API key', async () => {
  const {
    bench: { pool, clock },
    provider,
  } = payouts;
  const table = new JobTable(pool);
  expect(await table.overdueSeconds(clock.now(), 'payment.read', 0)).toBe(7_200);
  const ofOther = (): number => provider.count(new RegExp(`pi_${LAST}$`));
  const ofFirst = (): number => provider.calls.length - ofOther();
  const startedMs = performance.now();
  await readUntil((heldBack) => heldBack > 0 && ofOther() > 0 && ofFirst() > 50);
  // The limit depends on the elapsed time, because the budget is a rate: a slower machine may make
  // more calls in total.
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(ofOther()).toBe(1);
  // The budget allows a burst of five seconds and then ten calls a second.
  expect(ofFirst()).toBeLessThanOrEqual(50 + 10 * seconds + 1);
}, 400_000);
