import { randomText } from '#kernel';
import { lendBenchDatabases } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

/** Adds a line of the refund or dispute to a payout of the day. */
type Deduct = (date: string, id: string, payment: string, amountMinor: number) => Promise<void>;

const payOut = async (date: string): Promise<string> =>
  payouts.provider.pay(await payouts.accepted(2), date);

const refund: Deduct = async (date, id, payment, amountMinor) =>
  payouts.provider.refund(await payOut(date), [{ id, payment, amountMinor }]);

const dispute: Deduct = async (date, id, payment, amountMinor) =>
  payouts.provider.dispute(await payOut(date), [
    { id, payment, amountMinor, status: 'lost', feeMinor: 1_500 },
  ]);

test.each([
  ['refund', `refd_${randomText(24)}`, refund],
  ['dispute', `dspt_${randomText(24)}`, dispute],
] as const)(
  'the reconciliation compares the payout line of a %s with the journal',
  async (lineKind, id, deduct) => {
    const first = await payOut('2030-03-01');
    await payouts.untilIdle();
    const payment = String(payouts.provider.linesOf(first)[0]?.['id']);
    await deduct('2030-03-02', id, payment, 500);
    await payouts.nextDay();
    expect(await payouts.exceptions()).toEqual([]);
    // A second payout deducts the refund or dispute again, with a different amount. The duplicate is
    // the break of its amount, too.
    await deduct('2030-03-03', id, payment, 499);
    await payouts.nextDay();
    expect(
      await payouts.bench.rows(
        `SELECT kind, line_kind, object_id FROM reconciliation_exceptions ORDER BY kind`,
      ),
    ).toEqual([{ kind: 'duplicate', line_kind: lineKind, object_id: id }]);
  },
);

test('the reconciliation reports a refund that is in no payout as missing, until it is paid out', async () => {
  const { provider } = payouts;
  const first = await payOut('2030-03-01');
  await payouts.untilIdle();
  const [line] = provider.linesOf(first);
  const id = `refd_${randomText(24)}`;
  const created = Math.floor(Date.parse(payouts.at()) / 1_000);
  provider.listed.push({ ...line });
  provider.refunds.unshift({
    id,
    amount: 500,
    currency: 'eur',
    payment: line?.['id'],
    created,
    status: 'refunded',
    payout: null,
  });
  for (const date of ['2030-03-02', '2030-03-03', '2030-03-04']) {
    await payOut(date);
    await payouts.nextDay();
  }
  const found = () =>
    payouts.bench.rows('SELECT kind, line_kind, closed_by FROM reconciliation_exceptions');
  expect(await found()).toEqual([{ kind: 'missing', line_kind: 'refund', closed_by: null }]);
  await refund('2030-03-05', id, String(line?.['id']), 500);
  await payouts.nextDay();
  expect(await found()).toEqual([{ kind: 'missing', line_kind: 'refund', closed_by: 'facts' }]);
});
