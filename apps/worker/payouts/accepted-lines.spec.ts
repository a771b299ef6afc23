import { randomText } from '#kernel';
import { type LineDifference, payoutAggregate } from '#payout';
import { lendBenchDatabases } from '../worker.fixture.js';
import { some } from './payout-provider.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

const NOTHING = { amountMinor: 0, feesMinor: 0 };
const PAYMENT = { amountMinor: 1_999, feesMinor: 21 };

const open = async (): Promise<readonly unknown[]> =>
  (await payouts.exceptions()).filter(({ closed_by: by }) => by === null).map(({ kind }) => kind);

/** What the provider owes the merchant according to the ledger, and the fees. */
const books = async () =>
  (
    await rows(
      'SELECT provider_minor::int AS provider, fees_minor::int AS fees FROM ledger_balances',
    )
  )[0];

const corrections = () =>
  rows(
    `SELECT kind, amount_minor::int AS amount, provider_minor::int AS provider
       FROM ledger_journal WHERE kind LIKE '%correction' ORDER BY at, kind`,
  );

const matched = async (): Promise<readonly unknown[]> =>
  (await rows('SELECT matched FROM payout_list ORDER BY date')).map((row) => row['matched']);

/** The provider sends all payouts, which the ledger books. */
const sendAll = async (): Promise<void> => {
  for (const payout of payouts.provider.payouts) Object.assign(payout, { status: 'sent' });
  await payouts.nextDay();
};

/** Two operators accept the line with an open break, of which the ledger has the money `booked`. */
const accept = async (
  booked: LineDifference['booked'],
  shown: LineDifference['shown'],
): Promise<void> => {
  const [line] = await rows(
    `SELECT l.payout_id AS payout, l.kind, l.object_id AS provider,
            coalesce(l.journal_id, l.object_id) AS object
       FROM reconciliation_exceptions x
       JOIN payout_lines l USING (payout_id, object_id)
      WHERE l.kind = x.line_kind AND x.closed_at IS NULL`,
  );
  const payoutId = String(line?.['payout']);
  await payouts.bench.store.execute(
    payoutAggregate,
    payoutId,
    {
      type: 'AcceptLine',
      lineKind: line?.['kind'] as LineDifference['lineKind'],
      objectId: String(line?.['object']),
      providerId: String(line?.['provider']),
      booked,
      shown,
      at: payouts.at(),
    },
    payouts.bench.metadata(payoutId),
  );
};

/** Compares all lines of all payouts again. */
const compareAll = async (): Promise<void> => {
  for (const { id } of payouts.provider.payouts) {
    await payouts.reconciliation.comparePayout(String(id), 'all', () => Promise.resolve());
  }
};

/** Asserts that facts have closed all breaks, and that they stay closed. */
const allIsExplained = async (): Promise<void> => {
  await payouts.nextDay();
  await compareAll();
  expect(await open()).toEqual([]);
  expect((await payouts.exceptions()).map(({ closed_by: by }) => by)).not.toContain(null);
};

test('the ledger equals the provider once operators accept the fee of a line, whose break does not open again', async () => {
  const [dear] = await payouts.accepted(1);
  payouts.provider.pay([some(dear, { surchargeMinor: 3 })], '2030-03-01');
  await payouts.untilIdle();
  await sendAll();
  expect(await books()).toEqual({ provider: 3, fees: 21 });
  expect(await open()).toEqual(['fee']);
  await accept(PAYMENT, { ...PAYMENT, feesMinor: 24 });
  await allIsExplained();
  expect(await books()).toEqual({ provider: 0, fees: 24 });
  expect(await corrections()).toEqual([{ kind: 'fee_correction', amount: 0, provider: -3 }]);
  expect(await matched()).toEqual([1]);
});

test('the ledger equals the provider once operators accept a payment that was made past us, however often', async () => {
  payouts.provider.pay([...(await payouts.accepted(1)), some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  await sendAll();
  expect(await books()).toEqual({ provider: -1_978, fees: 21 });
  expect(await open()).toEqual(['unknown']);
  await accept(NOTHING, PAYMENT);
  await accept(NOTHING, PAYMENT);
  await allIsExplained();
  expect(await books()).toEqual({ provider: 0, fees: 42 });
  expect(await corrections()).toEqual([
    { kind: 'payment_correction', amount: 1_999, provider: 1_978 },
  ]);
  expect(await matched()).toEqual([2]);
});

test('an accepted line that the provider changes later has a break again, until its difference is accepted', async () => {
  payouts.provider.pay([some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  await accept(NOTHING, PAYMENT);
  await allIsExplained();
  await rows('UPDATE payout_lines SET amount_minor = amount_minor + 1');
  await compareAll();
  expect(await open()).toEqual(['unknown']);
  await accept(NOTHING, { ...PAYMENT, amountMinor: 2_000 });
  await allIsExplained();
  expect(await corrections()).toEqual([
    { kind: 'payment_correction', amount: 1_999, provider: 1_978 },
    { kind: 'payment_correction', amount: 1, provider: 1 },
  ]);
});

test('the ledger equals the provider once operators accept that a payment was paid twice, and the first line still matches', async () => {
  const [twice] = await payouts.accepted(1);
  payouts.provider.pay([some(twice, {})], '2030-03-01');
  await payouts.untilIdle();
  const [first] = payouts.provider.payouts;
  const second = payouts.provider.pay([some(twice, {})], '2030-03-02');
  payouts.provider.setLines(second, payouts.provider.linesOf(String(first?.['id'])));
  await payouts.nextDay();
  await sendAll();
  expect(await books()).toEqual({ provider: -1_978, fees: 21 });
  expect(await open()).toEqual(['duplicate']);
  await accept(NOTHING, PAYMENT);
  await allIsExplained();
  expect(await books()).toEqual({ provider: 0, fees: 42 });
  expect(await matched()).toEqual([1, 1]);
});

test('the ledger equals the provider once operators accept the amount of a line, also if its fee differs too', async () => {
  const [more] = await payouts.accepted(1);
  payouts.provider.pay([some(more, { amountMinor: 3_000 })], '2030-03-01');
  await payouts.untilIdle();
  await sendAll();
  const feesMinor = Number((await rows('SELECT fee_minor FROM payout_lines'))[0]?.['fee_minor']);
  expect(await open()).toEqual(['amount', 'fee']);
  await accept(PAYMENT, { amountMinor: 3_000, feesMinor });
  await allIsExplained();
  expect(await books()).toEqual({ provider: 0, fees: feesMinor });
  expect(await matched()).toEqual([1]);
});

test('the ledger equals the provider once operators accept the returned money of a dispute that was lost before it was won', async () => {
  const first = payouts.provider.pay(await payouts.accepted(2), '2030-03-01');
  await payouts.untilIdle();
  const dispute = {
    id: `dspt_${randomText(24)}`,
    status: 'lost',
    payment: String(payouts.provider.linesOf(first)[0]?.['id']),
    amountMinor: 500,
    feeMinor: 1_500,
  };
  payouts.provider.dispute(payouts.provider.pay(await payouts.accepted(2), '2030-03-02'), [
    dispute,
  ]);
  await payouts.nextDay();
  payouts.provider.dispute(payouts.provider.pay(await payouts.accepted(2), '2030-03-03'), [
    { ...dispute, status: 'won', amountMinor: -500, feeMinor: 0 },
  ]);
  await payouts.nextDay();
  await sendAll();
  expect(await open()).toEqual(['unknown']);
  await accept(NOTHING, { amountMinor: 500, feesMinor: 0 });
  await allIsExplained();
  expect(await corrections()).toEqual([
    { kind: 'dispute_reversal_correction', amount: 500, provider: 500 },
  ]);
  expect(
    await rows(
      'SELECT provider_minor::int AS provider, disputes_minor::int AS disputes FROM ledger_balances',
    ),
  ).toEqual([{ provider: 0, disputes: 0 }]);
  expect(await matched()).toEqual([2, 3, 3]);
});

test('an accepted line of a payout that fails is also accepted in the payout that it becomes part of', async () => {
  const first = payouts.provider.pay([some(undefined, {})], '2030-03-01');
  await payouts.untilIdle();
  await accept(NOTHING, PAYMENT);
  await allIsExplained();
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'failed' });
  const second = payouts.provider.pay([some(undefined, {})], '2030-03-02');
  payouts.provider.setLines(second, payouts.provider.linesOf(first));
  await payouts.nextDay();
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'sent' });
  await allIsExplained();
  expect(await books()).toEqual({ provider: 0, fees: 21 });
  expect(await matched()).toEqual([1, 1]);
});
