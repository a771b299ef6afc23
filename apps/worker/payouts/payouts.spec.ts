import { DAY_MS, MINUTE_MS } from '#kernel';
import { ProviderRateLimited } from '#psp';
import { waitFor } from '#testing';
import { some, wirePayment } from './payout-provider.fixture.js';
import { lendBenchDatabases } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

const captured = async (): Promise<number> => {
  const [row] = await rows(
    `SELECT count(*)::int AS count FROM events WHERE type = 'PaymentCaptured'`,
  );
  return Number(row?.['count']);
};

const begin = () => Promise.resolve();

test('the payout poller records the capture of each payment that a payout’s lines contain, with one call per page of lines', async () => {
  const id = payouts.provider.pay(await payouts.accepted(230), '2030-03-01');
  await begin();
  await payouts.untilIdle();
  expect(await captured()).toBe(230);
  expect(payouts.provider.count(/payments\?start/)).toBe(3);
  expect(await rows('SELECT payout_id, lines_read, matched FROM payout_list')).toEqual([
    { payout_id: id, lines_read: true, matched: 230 },
  ]);
  expect(await rows('SELECT kind FROM reconciliation_exceptions')).toEqual([]);
});

test('the payout poller reads all lines of a payout, whatever the length of the pages', async () => {
  payouts.provider.pageSize = 60;
  payouts.provider.pay(await payouts.accepted(130), '2030-03-01');
  await begin();
  await payouts.untilIdle();
  expect(await rows('SELECT lines_read, matched FROM payout_list')).toEqual([
    { lines_read: true, matched: 130 },
  ]);
});

test('the payout poller reads a long payout in several runs, each from the page at which the previous run stopped', async () => {
  payouts.provider.pageSize = 2;
  payouts.provider.pay(await payouts.accepted(130), '2030-03-01');
  await begin();
  await payouts.untilIdle();
  expect(payouts.provider.count(/payments\?start/)).toBe(65);
  expect(await rows('SELECT lines_read, matched FROM payout_list')).toEqual([
    { lines_read: true, matched: 130 },
  ]);
});

test('the payout poller records the capture events of a payment with the order’s correlation id', async () => {
  payouts.provider.pay(await payouts.accepted(3), '2030-03-01');
  await begin();
  await payouts.untilIdle();
  const found = await rows(
    `SELECT DISTINCT metadata ->> 'correlationId' = 'ord_' || stream_id AS own FROM events
      WHERE type = 'PaymentCaptured'`,
  );
  expect(found).toEqual([{ own: true }]);
});

test('the payout poller has the same result if it is interrupted at any call and then resumed', async () => {
  const payments = await payouts.accepted(350);
  payouts.provider.pay(payments, '2030-03-01');
  await begin();
  for (let calls = 0; calls < 12; calls += 1) {
    // Every second call fails. A failed job becomes due again after a quarter of an hour at the
    // earliest.
    await payouts.round();
    payouts.provider.failures.push({ status: 500 });
    payouts.bench.clock.advance(15 * MINUTE_MS);
  }
  payouts.provider.failures.length = 0;
  payouts.bench.clock.advance(15 * MINUTE_MS);
  await payouts.untilIdle();
  expect(await captured()).toBe(350);
  expect(
    await rows(
      `SELECT count(*)::int AS lines, count(DISTINCT object_id)::int AS distinct FROM payout_lines`,
    ),
  ).toEqual([{ lines: 350, distinct: 350 }]);
  expect(await rows('SELECT matched FROM payout_list')).toEqual([{ matched: 350 }]);
});

test('the payout poller reads the lines of a growing payout again until the lines match the payout’s totals', async () => {
  const payments = await payouts.accepted(3);
  const id = payouts.provider.pay(payments, '2030-03-01');
  const lines = payouts.provider.linesOf(id);
  payouts.provider.setLines(id, lines.slice(0, 2));
  await begin();
  await payouts.untilIdle();
  expect(await rows('SELECT lines_read FROM payout_list')).toEqual([{ lines_read: false }]);
  payouts.provider.setLines(id, lines);
  payouts.bench.clock.advance(DAY_MS / 24);
  await payouts.untilIdle();
  expect(await rows('SELECT lines_read, matched, mismatches FROM payout_list')).toEqual([
    { lines_read: true, matched: 3, mismatches: 0 },
  ]);
});

test('the payout poller records a payout again if its amount changes before the payout is sent, and reads its lines again', async () => {
  const [first, second] = await payouts.accepted(2);
  const { provider } = payouts;
  const id = provider.pay([some(first, {})], '2030-03-01');
  await payouts.untilIdle();
  expect(await rows('SELECT amount_minor::int AS amount, matched FROM payout_list')).toEqual([
    { amount: 1_974, matched: 1 },
  ]);
  const [line] = provider.linesOf(id);
  const grown = provider.pay([some(first, {}), some(second, {})], '2030-03-01');
  const { amount, fees, fees_vat, payments } = provider.payouts.shift() ?? {};
  // The newest line is the first.
  provider.setLines(id, [...provider.linesOf(grown).slice(1), line ?? {}]);
  Object.assign(provider.payouts[0] ?? {}, { amount, fees, fees_vat, payments });
  await payouts.nextDay();
  expect(await rows('SELECT amount_minor::int AS amount, matched FROM payout_list')).toEqual([
    { amount, matched: 2 },
  ]);
  expect(provider.count(/payments\?start/)).toBe(2);
  Object.assign(provider.payouts[0] ?? {}, { status: 'paid' });
  await payouts.nextDay();
  expect(await rows('SELECT status, mismatches FROM payout_list')).toEqual([
    { status: 'paid', mismatches: 0 },
  ]);
  expect(
    await rows(`SELECT amount_minor::int AS amount FROM ledger_journal WHERE kind = 'payout'`),
  ).toEqual([{ amount }]);
  expect(await rows(`SELECT kind FROM jobs WHERE kind LIKE 'payout.%'`)).toEqual([]);
  expect(await payouts.exceptions()).toEqual([]);
});

test('the payout poller books a payout whose amount changes after the payout was sent with the first amount, and records a break', async () => {
  payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'sent' });
  await payouts.untilIdle();
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid', amount: 1_975 });
  await payouts.nextDay();
  expect(await rows('SELECT status, amount_minor::int AS amount FROM payout_list')).toEqual([
    { status: 'paid', amount: 1_974 },
  ]);
  expect(await rows(`SELECT kind FROM jobs WHERE kind LIKE 'payout.%'`)).toEqual([]);
  expect(await payouts.exceptions()).toEqual([
    { kind: 'amount', expected: 'amount 1974', observed: 'amount 1975', closed_by: null },
  ]);
});

test('the payout poller deletes a payout line that the provider has removed', async () => {
  const payments = await payouts.accepted(3);
  const id = payouts.provider.pay(payments, '2030-03-01');
  const lines = payouts.provider.linesOf(id);
  payouts.provider.setLines(id, [...lines, wirePayment(some(undefined, {}), 'captured', id)]);
  await begin();
  await payouts.untilIdle();
  payouts.provider.setLines(id, lines);
  payouts.bench.clock.advance(DAY_MS / 24);
  await payouts.untilIdle();
  expect(await rows('SELECT lines_read, matched, mismatches FROM payout_list')).toEqual([
    { lines_read: true, matched: 3, mismatches: 0 },
  ]);
  expect(await rows('SELECT kind FROM reconciliation_exceptions')).toEqual([]);
});

describe('when the lines of a payout have not matched its totals for days, the payout poller', () => {
  /** Pays one payment that the payout does not list; instead, it lists one that is not ours. */
  const wrongLines = async () => {
    const [missing] = await payouts.captured(1);
    const payments = [...(await payouts.accepted(2)), some(missing, {})];
    const id = payouts.provider.pay(payments, '2030-03-01');
    Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid' });
    const lines = payouts.provider.linesOf(id);
    const foreign = wirePayment(some(undefined, { amountMinor: 500 }), 'captured', id);
    payouts.provider.setLines(id, [foreign, ...lines.slice(0, 2)]);
    for (let day = 0; day < 10; day += 1) await payouts.nextDay();
    return { id, lines };
  };
  const linesJobs = () => rows(`SELECT kind FROM jobs WHERE kind = 'payout.lines'`);

  test('reads them daily, and the reconciliation closes all breaks when the provider has repaired them', async () => {
    const { id, lines } = await wrongLines();
    const open = () =>
      rows('SELECT kind FROM reconciliation_exceptions WHERE closed_at IS NULL ORDER BY kind');
    expect(await open()).toEqual([{ kind: 'amount' }, { kind: 'late' }, { kind: 'unknown' }]);
    payouts.provider.setLines(id, lines);
    await payouts.nextDay();
    expect(await open()).toEqual([]);
    expect(await rows(`SELECT FROM reconciliation_exceptions WHERE closed_by <> 'facts'`)).toEqual(
      [],
    );
    expect(await rows('SELECT lines_read, matched FROM payout_list')).toEqual([
      { lines_read: true, matched: 3 },
    ]);
    expect(await linesJobs()).toEqual([]);
  });

  test('reads them until operators have closed the break', async () => {
    await wrongLines();
    expect(await linesJobs()).toHaveLength(1);
    await payouts.bench.admin.query(
      `UPDATE reconciliation_exceptions
          SET closed_at = now(), closed_by = 'platform:plat_1', close_reason = 'known'
        WHERE kind = 'amount'`,
    );
    const reads = payouts.provider.count(/payments\?start/);
    await payouts.nextDay();
    expect(payouts.provider.count(/payments\?start/)).toBe(reads);
    expect(await linesJobs()).toEqual([]);
  });
});

test.each([
  ['date_bank', '0000-00-00'],
  ['date', '2026-02-30'],
])(
  'a payout whose %s is the impossible day %s delays only the payouts of its own account',
  async (name, day) => {
    await payouts.register('acc_2', 'm_2', 'stest_2');
    payouts.provider.listOnlyWith('stest_2', payouts.provider.pay([], '2030-03-01'));
    Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid', [name]: day });
    const good = payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
    payouts.provider.listOnlyWith('stest_spec', good);
    await payouts.untilIdle();
    await payouts.nextDay();
    expect(await rows('SELECT payout_id, matched FROM payout_list')).toEqual([
      { payout_id: good, matched: 1 },
    ]);
    expect(await rows(`SELECT FROM events WHERE data::text LIKE '%${day}%'`)).toEqual([]);
    expect(await payouts.accountJobs.unreadAccounts(payouts.at(), DAY_MS)).toBe(1);
  },
);

test.each([
  [
    'a read in the background',
    async () => {
      await begin();
      await payouts.round();
    },
  ],
  [
    'any other call',
    async () => {
      const client = await payouts.bench.clientOf();
      await expect(client.cancelIntent('pi_1')).rejects.toBeInstanceOf(ProviderRateLimited);
      await begin();
    },
  ],
])(
  'after a 429 to %s, the payout poller sends no read with the same API key until Retry-After has passed',
  async (_, call) => {
    payouts.provider.failures.push({ status: 429, retryAfterS: 3_600 });
    await call();
    const asked = payouts.provider.calls.length;
    const { admin: pool } = payouts.bench;
    const round = async (): Promise<boolean> => {
      // Ends the pause of postponed jobs, so that only the pause of the API key prevents reads.
      await pool.query(
        'UPDATE jobs SET held_until = clock_timestamp() WHERE held_until IS NOT NULL',
      );
      await payouts.round();
      return payouts.provider.calls.length > asked;
    };
    for (let time = 0; time < 5; time += 1) expect(await round()).toBe(false);
    await pool.query(
      `UPDATE provider_budgets SET blocked_until = blocked_until - interval '3600 seconds'`,
    );
    await waitFor(round);
  },
);

test('several workers that poll payouts concurrently record the same payouts as a single worker would', async () => {
  payouts.provider.pay(await payouts.accepted(120), '2030-03-01');
  await begin();
  await Promise.all([payouts.untilIdle(), payouts.untilIdle(), payouts.untilIdle()]);
  expect(await captured()).toBe(120);
  expect(await rows('SELECT matched FROM payout_list')).toEqual([{ matched: 120 }]);
});

test('the payout poller returns the time of the next read when no read is due', async () => {
  await begin();
  await payouts.untilIdle();
  const { due, next } = await payouts.dueIn();
  expect(due).toBe(0);
  expect(next?.slice(0, 13)).toBe('2030-03-01T18');
});
