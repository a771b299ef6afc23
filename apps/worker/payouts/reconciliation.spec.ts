import { DAY_MS, HOUR_MS, msOf, parseInstant } from '#kernel';
import { ACCOUNT } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';
import type { LinePayment } from './payout-provider.fixture.js';

let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open();
  await payouts.queue.ensure(payouts.at());
});
afterEach(() => payouts.close());

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

const found = () => rows(
  `SELECT kind, expected, observed, closed_by FROM reconciliation_exceptions ORDER BY kind`);

const some = (payment: LinePayment | undefined, changes: Partial<LinePayment>): LinePayment =>
  ({ paymentId: null, intentId: 'pi_none', amountMinor: 1_999, ...payment, ...changes });

/** A day goes by, and all that falls due in it is done. */
const nextDay = async (): Promise<void> => {
  payouts.bench.clock.advance(DAY_MS);
  await payouts.untilIdle();
};

test('each way in which a line can differ is told once, with what was expected', async () => {
  const [good, more, other, dear, twice] = await payouts.accepted(5);
  payouts.provider.pay([
    some(good, {}), some(more, { amountMinor: 2_000 }), some(other, { currency: 'usd' }),
    some(dear, { surchargeMinor: 3 }), some(twice, {}), some(undefined, {}),
  ], '2030-03-01');
  await payouts.untilIdle();
  payouts.provider.pay([some(twice, {})], '2030-03-02');
  await nextDay();
  expect(await found()).toEqual([
    { kind: 'amount', expected: '1999', observed: '2000', closed_by: null },
    { kind: 'currency', expected: 'eur', observed: 'usd', closed_by: null },
    { kind: 'duplicate', expected: 'one line', observed: expect.any(String), closed_by: null },
    { kind: 'fee', expected: '21', observed: '24', closed_by: null },
    { kind: 'unknown', expected: 'an entry of our journal', observed: 'none', closed_by: null },
  ]);
  expect(await rows('SELECT matched FROM payout_list ORDER BY date')).toEqual(
    [{ matched: 2 }, { matched: 0 }]);
});

test('a payment that one payout has twice is a duplicate, next to each other or pages apart', async () => {
  const [near, far, ...others] = await payouts.accepted(102);
  const id = payouts.provider.pay(
    [some(near, {}), some(near, {}), some(far, {}), ...others, some(far, {})], '2030-03-01');
  const lines = [...payouts.provider.linesOf(id)];
  payouts.provider.setLines(id, [lines[0], lines[0], ...lines.slice(2, -1), lines[2]]
    .map((line) => line ?? {}));
  await payouts.untilIdle();
  // The list may have grown while it was read: it is believed when it is so again.
  expect(await rows('SELECT lines_read FROM payout_list')).toEqual([{ lines_read: false }]);
  await nextDay();
  const told = { kind: 'duplicate', expected: 'one line', observed: '2 in this payout' };
  expect(await found()).toEqual([{ ...told, closed_by: null }, { ...told, closed_by: null }]);
  expect(await rows('SELECT lines_read, matched, mismatches FROM payout_list')).toEqual(
    [{ lines_read: true, matched: 100, mismatches: 0 }]);
});

test('run again it finds the same, under the same ids', async () => {
  const [more] = await payouts.accepted(1);
  const id = payouts.provider.pay([some(more, { amountMinor: 2_000 })], '2030-03-01');
  await payouts.untilIdle();
  const before = await rows('SELECT * FROM reconciliation_exceptions');
  const events = await rows('SELECT count(*) FROM events');
  await payouts.reconciliation.comparePayout(id);
  expect(await rows('SELECT * FROM reconciliation_exceptions')).toEqual(before);
  expect(before).toHaveLength(1);
  expect(await rows('SELECT count(*) FROM events')).toEqual(events);
});

test('VAT that is not that of the fees is told of the payout', async () => {
  const id = payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  const payout = payouts.provider.payouts[0] as Record<string, unknown>;
  payout['fees_vat'] = 5;
  await payouts.untilIdle();
  expect(await rows(
    `SELECT kind, line_kind, object_id, expected, observed FROM reconciliation_exceptions`,
  )).toEqual([
    { kind: 'fee', line_kind: 'payout', object_id: id, expected: '25', observed: '26' },
  ]);
});

test('captured and in no payout of the days after: missing; it is closed when it comes', async () => {
  const [lost] = await payouts.captured(1);
  payouts.provider.pay(await payouts.accepted(1), '2030-03-02');
  await nextDay();
  expect(await found()).toEqual([]);
  await nextDay();
  expect(await found()).toMatchObject([{ kind: 'missing', closed_by: null }]);
  payouts.provider.pay([some(lost, {})], '2030-03-04');
  await nextDay();
  expect(await found()).toMatchObject([{ kind: 'missing', closed_by: 'facts' }]);
});

test('captured, and no payout made at all: late, and missing once one was made without it', async () => {
  await payouts.captured(1);
  await nextDay();
  await nextDay();
  expect(await found()).toMatchObject([{ kind: 'late', closed_by: null }]);
  payouts.provider.pay(await payouts.accepted(1), '2030-03-04');
  await nextDay();
  expect(await found()).toMatchObject([
    { kind: 'late', closed_by: 'facts' }, { kind: 'missing', closed_by: null },
  ]);
});

test('nothing is late before the lines of the morning’s payouts could be read', async () => {
  await payouts.captured(1);
  const account = { id: ACCOUNT, platformId: 'plat_1', merchantId: 'm_1' };
  await payouts.untilIdle();
  // A payout that has failed is seen in the minutes in which its lines' next one is made.
  payouts.bench.clock.advance(msOf(parseInstant('2030-03-03T06:02:00Z')) - msOf(payouts.at()));
  await payouts.reconciliation.findOverdue(account);
  expect(await found()).toEqual([]);
  payouts.bench.clock.advance(2 * HOUR_MS);
  await payouts.reconciliation.findOverdue(account);
  expect(await found()).toMatchObject([{ kind: 'late' }]);
});

test('what a person has closed stays closed', async () => {
  const id = payouts.provider.pay([some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  await payouts.bench.pool.query(
    `UPDATE reconciliation_exceptions
        SET closed_at = now(), closed_by = 'platform:plat_1', close_reason = 'known'`);
  await payouts.reconciliation.comparePayout(id);
  expect(await found()).toMatchObject([{ kind: 'unknown', closed_by: 'platform:plat_1' }]);
});
