import { mock } from 'node:test';
import { DAY_MS, parseInstant } from '#kernel';
import { ACCOUNT, lendBenchDatabases } from '../worker.fixture.js';
import { ClaimLapsed } from '#jobs';
import { accountJob } from './account-job.js';
import { openBreaks } from './open-breaks.js';
import { PayoutsBench } from './payouts-bench.fixture.js';
import { some } from './payout-provider.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

/** The number of open breaks of each kind. */
const open = async (): Promise<Readonly<Record<string, unknown>>> => {
  const found = await rows(
    `SELECT kind, count(*)::int AS count FROM reconciliation_exceptions
      WHERE closed_at IS NULL GROUP BY kind ORDER BY kind`,
  );
  return Object.fromEntries(found.map(({ kind, count }) => [kind, count]));
};

const keep = () => Promise.resolve();

test('the reconciliation records each kind of difference of a payout line once, with the expected value', async () => {
  const [good, more, other, dear, twice] = await payouts.accepted(5);
  payouts.provider.pay(
    [
      some(good, {}),
      some(more, { amountMinor: 2_000 }),
      some(other, { currency: 'usd' }),
      some(dear, { surchargeMinor: 3 }),
      some(twice, {}),
      some(undefined, {}),
    ],
    '2030-03-01',
  );
  await payouts.untilIdle();
  payouts.provider.pay([some(twice, {})], '2030-03-02');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([
    { kind: 'amount', expected: '1999', observed: '2000', closed_by: null },
    { kind: 'currency', expected: 'eur', observed: 'usd', closed_by: null },
    { kind: 'duplicate', expected: 'one line', observed: expect.any(String), closed_by: null },
    { kind: 'fee', expected: '21', observed: '24', closed_by: null },
    { kind: 'unknown', expected: 'an entry of our journal', observed: 'none', closed_by: null },
  ]);
  expect(await rows('SELECT matched FROM payout_list ORDER BY date')).toEqual([
    { matched: 2 },
    { matched: 0 },
  ]);
  const ages = async (day: string) =>
    Object.values(await openBreaks(payouts.bench.pool, parseInstant(`${day}T12:00:00.000Z`)));
  expect(await ages('2030-03-02')).toEqual([5, 0, 0, 0]);
  expect(await ages('2030-03-03')).toEqual([1, 4, 0, 0]);
  expect(await ages('2030-03-31')).toEqual([0, 0, 1, 4]);
});

test('the reconciliation records a duplicate if one payout lists a payment twice, even on different pages', async () => {
  const [near, far, ...others] = await payouts.accepted(102);
  const id = payouts.provider.pay(
    [some(near, {}), some(near, {}), some(far, {}), ...others, some(far, {})],
    '2030-03-01',
  );
  const lines = [...payouts.provider.linesOf(id)];
  payouts.provider.setLines(
    id,
    [lines[0], lines[0], ...lines.slice(2, -1), lines[2]].map((line) => line ?? {}),
  );
  await payouts.untilIdle();
  // A duplicate counts only if a second read shows it too, because the list may have grown during
  // the first read.
  expect(await rows('SELECT lines_read FROM payout_list')).toEqual([{ lines_read: false }]);
  await payouts.nextDay();
  const duplicate = { kind: 'duplicate', expected: 'one line', observed: '2 in this payout' };
  expect(await payouts.exceptions()).toEqual([
    { ...duplicate, closed_by: null },
    { ...duplicate, closed_by: null },
  ]);
  expect(await rows('SELECT lines_read, matched, mismatches FROM payout_list')).toEqual([
    { lines_read: true, matched: 100, mismatches: 0 },
  ]);
});

test('the reconciliation records a currency mismatch if a line has our currency, but its payout another one', async () => {
  payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  Object.assign(payouts.provider.payouts[0] ?? {}, { currency: 'usd' });
  await payouts.untilIdle();
  expect(await payouts.exceptions()).toEqual([
    { kind: 'currency', expected: 'eur', observed: 'usd', closed_by: null },
  ]);
  expect(await rows('SELECT matched FROM payout_list')).toEqual([{ matched: 0 }]);
});

test('a second run of the reconciliation changes neither the breaks nor their ids', async () => {
  const [more] = await payouts.accepted(1);
  const id = payouts.provider.pay([some(more, { amountMinor: 2_000 })], '2030-03-01');
  await payouts.untilIdle();
  const before = await rows('SELECT * FROM reconciliation_exceptions');
  const events = await rows('SELECT count(*) FROM events');
  await payouts.reconciliation.comparePayout(id, 'all', keep);
  expect(await rows('SELECT * FROM reconciliation_exceptions')).toEqual(before);
  expect(before).toHaveLength(1);
  expect(await rows('SELECT count(*) FROM events')).toEqual(events);
});

test('the reconciliation records fees and VAT that are wrong although their sum is right as a break of the payout', async () => {
  const id = payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  Object.assign(payouts.provider.payouts[0] ?? {}, { fees: 20, fees_vat: 5 });
  await payouts.untilIdle();
  expect(
    await rows(
      `SELECT kind, line_kind, object_id, expected, observed FROM reconciliation_exceptions`,
    ),
  ).toEqual([{ kind: 'fee', line_kind: 'payout', object_id: id, expected: '21', observed: '20' }]);
});

test('the reconciliation records a VAT amount that does not match the fees as a break of the payout', async () => {
  const id = payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  const payout = payouts.provider.payouts[0] as Record<string, unknown>;
  payout['fees_vat'] = 5;
  await payouts.untilIdle();
  expect(
    await rows(
      `SELECT kind, line_kind, object_id, expected, observed FROM reconciliation_exceptions`,
    ),
  ).toEqual([{ kind: 'fee', line_kind: 'payout', object_id: id, expected: '25', observed: '26' }]);
});

test('the reconciliation finds that a payment is in two payouts even if the older payout is read last', async () => {
  const [twice] = await payouts.accepted(1);
  const first = payouts.provider.pay([some(twice, {})], '2030-03-01');
  const lines = payouts.provider.linesOf(first);
  payouts.provider.setLines(
    first,
    lines.map((line) => ({ ...line, currency: undefined })),
  );
  const second = payouts.provider.pay([some(twice, {})], '2030-03-02');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
  payouts.provider.setLines(first, lines);
  await payouts.nextDay();
  expect(
    await rows(
      `SELECT kind, payout_id, split_part(observed, ' ', 1) AS other
       FROM reconciliation_exceptions WHERE kind = 'duplicate'`,
    ),
  ).toEqual([{ kind: 'duplicate', payout_id: second, other: first }]);
  expect(await rows('SELECT matched FROM payout_list ORDER BY date')).toEqual([
    { matched: 1 },
    { matched: 0 },
  ]);
});

test('the reconciliation records a payout line with our payment’s reference but a different intent as unknown, and our payment as missing', async () => {
  const [ours] = await payouts.captured(1);
  payouts.provider.pay([some(ours, { intentId: 'pi_theirs' })], '2030-03-02');
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'missing' }, { kind: 'unknown' }]);
  expect(await rows('SELECT payment_id FROM payout_lines')).toEqual([{ payment_id: null }]);
});

test('the reconciliation records a break of a payout whose lines never add up to the payout’s amount', async () => {
  const id = payouts.provider.pay(await payouts.accepted(3), '2030-03-01');
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid' });
  payouts.provider.setLines(id, payouts.provider.linesOf(id).slice(0, 2));
  for (let day = 0; day < 10; day += 1) await payouts.nextDay();
  expect(
    await rows(
      `SELECT kind, line_kind, object_id, expected, observed FROM reconciliation_exceptions
      WHERE closed_at IS NULL`,
    ),
  ).toEqual([
    {
      kind: 'amount',
      line_kind: 'payout',
      object_id: id,
      expected: 'lines payment 3 5997 63, refund 0 0 0, dispute 0 0 0',
      observed: 'lines payment 2 3998 42, refund 0 0 0, dispute 0 0 0',
    },
  ]);
  // The break of the payout itself counts for no line.
  expect(await rows(`SELECT matched, exceptions ->> 'amount' AS amount FROM payout_list`)).toEqual([
    { matched: 2, amount: '0' },
  ]);
});

test('the reconciliation records a break for a payout whose date changes between reads, and continues to read the payout', async () => {
  payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  await payouts.untilIdle();
  Object.assign(payouts.provider.payouts[0] ?? {}, { date: '2030-03-02', status: 'sent' });
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([
    {
      kind: 'unknown',
      expected: 'date 2030-03-01',
      observed: 'date 2030-03-02',
      closed_by: null,
    },
  ]);
  expect(await rows('SELECT status FROM payout_list')).toEqual([{ status: 'sent' }]);
});

test('the reconciliation stops when another worker has claimed its job', async () => {
  payouts.provider.pay([some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  payouts.bench.clock.advance(DAY_MS);
  await rows(`UPDATE jobs SET due_at = 'epoch' WHERE kind = 'account.reconcile'`);
  const jobs = await payouts.jobs.claim();
  const job = jobs.find(({ kind }) => kind === 'account.reconcile');
  if (job === undefined) throw new Error('the reconciliation is due daily');
  await rows('UPDATE jobs SET claim = gen_random_uuid()');
  const reader = await payouts.reads.of(ACCOUNT);
  await expect(
    payouts.reconciliation.run(accountJob('account.reconcile', job), reader),
  ).rejects.toBeInstanceOf(ClaimLapsed);
});

test('the reconciliation has the same result if it is interrupted between any two statements', async () => {
  payouts.cutReconciliations();
  const [twice] = await payouts.accepted(1);
  await payouts.captured(5);
  const first = payouts.provider.pay([some(twice, {})], '2030-03-01');
  const lines = payouts.provider.linesOf(first);
  payouts.provider.setLines(
    first,
    lines.map((line) => ({ ...line, currency: undefined })),
  );
  const strangers = Array.from({ length: 4 }, () => some(undefined, {}));
  const second = payouts.provider.pay([...strangers, some(twice, {})], '2030-03-02');
  // Sorts the lines so that the line that both payouts contain is in the last chunk.
  const ids = payouts.provider
    .linesOf(second)
    .map(({ id }) => String(id))
    .toSorted();
  payouts.provider.setLines(
    second,
    payouts.provider.linesOf(second).map((line, n) => ({ ...line, id: ids[n] })),
  );
  await payouts.nextDay();
  payouts.provider.setLines(first, lines);
  payouts.cutReconciliations();
  await payouts.nextDay();
  expect(await open()).toEqual({ duplicate: 1, missing: 5, unknown: 4 });
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'failed' });
  payouts.cutReconciliations();
  await payouts.nextDay();
  expect(await open()).toEqual({ missing: 5 });
});

test('while the ledger lags behind the event log, the reconciliation does not delay the reads of any account', async () => {
  for (const n of [2, 3, 4, 5, 6]) await payouts.register(`acc_${n}`, `m_${n}`, `stest_${n}`);
  await payouts.untilIdle();
  await payouts.captured(1);
  await rows(`UPDATE jobs SET due_at = '2030-03-01' WHERE kind = 'account.reconcile'`);
  await payouts.round();
  await rows('UPDATE jobs SET held_until = clock_timestamp() WHERE held_until IS NOT NULL');
  const asked = mock.method(payouts.bench.pool, 'query');
  expect(await payouts.round()).toBe(6);
  const listReads = asked.mock.calls.filter(
    ({ arguments: [query] }) =>
      (query as unknown as { readonly name?: string }).name === 'have-taken',
  );
  asked.mock.restore();
  // Each of the six reconciliations has checked only once whether the ledger is up to date. If they
  // waited, they would check every few milliseconds.
  expect(listReads).toHaveLength(6);
  await payouts.untilIdle();
  expect(await payouts.dueIn()).toMatchObject({ due: 0 });
});

test('the reconciliation does not compare matched payout lines again', async () => {
  const payments = [...(await payouts.accepted(2)), some(undefined, {})];
  const id = payouts.provider.pay(payments, '2030-03-01');
  await payouts.untilIdle();
  await rows('UPDATE payout_lines SET amount_minor = amount_minor + 1');
  await payouts.reconciliation.comparePayout(id, 'differing', keep);
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'unknown' }]);
  expect(await rows('SELECT matched FROM payout_list')).toEqual([{ matched: 2 }]);
});

test('the reconciliation does not reopen a break that an operator has closed', async () => {
  const id = payouts.provider.pay([some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  await payouts.bench.admin.query(
    `UPDATE reconciliation_exceptions
        SET closed_at = now(), closed_by = 'platform:plat_1', close_reason = 'known'`,
  );
  await payouts.reconciliation.comparePayout(id, 'all', keep);
  expect(await payouts.exceptions()).toMatchObject([
    { kind: 'unknown', closed_by: 'platform:plat_1' },
  ]);
});
