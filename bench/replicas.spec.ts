import { START, WorkerBench } from '../apps/worker/worker.fixture.js';
import { addReplicas } from './replicas.js';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
});
beforeEach(() => bench.admin.query('TRUNCATE jobs'));
afterAll(() => bench.close());

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(24, '0')}`;

test('the addition of replicas copies jobs that are done, and no job that would be overdue in the copy', async () => {
  await bench.admin.query(
    `INSERT INTO jobs (kind, key, state, due_at)
     VALUES ('refund', $1, 'done', $3), ('refund', $2, 'waiting', $3)`,
    [idOf('pay', 1), idOf('pay', 2), START],
  );
  await addReplicas(bench.admin, 1);
  const states = `SELECT state, count(*)::int AS jobs FROM jobs GROUP BY state ORDER BY state`;
  expect(await bench.rows(states)).toEqual([
    { state: 'done', jobs: 2 },
    { state: 'waiting', jobs: 1 },
  ]);
});

test('the addition of replicas copies payouts with their lines, with other ids and earlier dates', async () => {
  await bench.admin.query(
    `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference,
                              currency, amount_minor, fees_minor, fees_vat_minor, date, status,
                              totals, lines_read, mismatches, version)
     VALUES ($1, 'acc_1', 'shop', 'm1', 'test', 'r', 'eur', 986, 14, 3, '2030-03-01', 'paid',
             '{}', true, 0, 1)`,
    [idOf('pout', 1)],
  );
  await bench.admin.query(
    `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
                               journal_id, currency, amount_minor)
     VALUES ($1, 'payment', $2, 'acc_1', $2, $3, 'eur', 1000)`,
    [idOf('pout', 1), idOf('paym', 1), idOf('pay', 1)],
  );
  await addReplicas(bench.admin, 1);
  const payouts = `SELECT p.payout_id AS id, p.date::text AS date, l.journal_id AS paid
                     FROM payout_list p JOIN payout_lines l USING (payout_id) ORDER BY date`;
  expect(await bench.rows(payouts)).toEqual([
    {
      id: 'pout_099900000000000000000001',
      date: '2030-02-28',
      paid: idOf('pay', 1).replace('0000', '0999'),
    },
    { id: idOf('pout', 1), date: '2030-03-01', paid: idOf('pay', 1) },
  ]);
});
