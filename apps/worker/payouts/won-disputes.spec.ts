import { randomText } from '#kernel';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { ledger } from '../ledger/ledger.js';
import { drain } from '../projections/drain.fixture.js';
import { ProjectionRunner, rebuildProjection } from '#projections';
import type { DisputeLine } from './payout-provider.fixture.js';
import { lendBenchDatabases } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

/**
 * When a dispute is won, the next payout returns the disputed amount
 * (docs/provider/payments-completion.md#settled-after-real-clients).
 */

const DISPUTED = 500;
const FEE = 1_500;

const databases = lendBenchDatabases();
let payouts: PayoutsBench;
let dispute: DisputeLine;

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

/** Creates a day's payout of two payments; returns its id. */
const payOut = async (date: string): Promise<string> =>
  payouts.provider.pay(await payouts.accepted(2), date);

const taken = (): DisputeLine => ({ ...dispute, amountMinor: DISPUTED, feeMinor: FEE });
const givenBack = (amountMinor = DISPUTED): DisputeLine => ({
  ...dispute,
  status: 'won',
  amountMinor: -amountMinor,
  feeMinor: 0,
});

/**
 * Creates a captured payment that is disputed for a part of its amount, and a payout that has
 * deducted the disputed part.
 */
beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
  const first = await payOut('2030-03-01');
  await payouts.untilIdle();
  const [line] = payouts.provider.linesOf(first);
  dispute = {
    id: `dspt_${randomText(24)}`,
    status: 'evidence_sent',
    payment: String(line?.['id']),
    amountMinor: DISPUTED,
    feeMinor: FEE,
  };
  payouts.provider.dispute(await payOut('2030-03-02'), [taken()]);
  await payouts.nextDay();
});
afterEach(() => payouts.close());

const booked = () =>
  rows(
    `SELECT kind, amount_minor::int AS amount, disputes_minor::int AS disputes,
          provider_minor::int AS provider, fees_minor::int AS fees
     FROM ledger_journal WHERE kind IN ('dispute', 'dispute_reversal') ORDER BY kind`,
  );

const TAKEN = {
  kind: 'dispute',
  amount: DISPUTED,
  disputes: DISPUTED,
  provider: -DISPUTED - FEE,
  fees: FEE,
};
const BACK = {
  kind: 'dispute_reversal',
  amount: DISPUTED,
  disputes: -DISPUTED,
  provider: DISPUTED,
  fees: 0,
};

const countOf = async (type: string): Promise<unknown> =>
  (await rows(`SELECT count(*)::int AS count FROM events WHERE type = '${type}'`))[0]?.['count'];

test('the ledger books the amount that a won dispute returns, and the reconciliation matches the payout line to this entry', async () => {
  expect(await booked()).toEqual([TAKEN]);
  payouts.provider.dispute(await payOut('2030-03-03'), [givenBack()]);
  await payouts.nextDay();
  expect(await booked()).toEqual([TAKEN, BACK]);
  expect(await payouts.exceptions()).toEqual([]);
  expect(await rows('SELECT matched, mismatches FROM payout_list ORDER BY date')).toEqual([
    { matched: 2, mismatches: 0 },
    { matched: 3, mismatches: 0 },
    { matched: 3, mismatches: 0 },
  ]);
  expect(
    await rows(
      `SELECT amount_minor::int AS amount, fee_minor::int AS fee FROM payout_lines
      WHERE kind = 'dispute_reversal'`,
    ),
  ).toEqual([{ amount: DISPUTED, fee: 0 }]);
  expect(await rows('SELECT disputes_minor::int AS disputes FROM ledger_balances')).toEqual([
    { disputes: 0 },
  ]);
});

test('the reconciliation matches the lines of a payout that contains both a dispute and its reversal', async () => {
  const other = { ...dispute, id: `dspt_${randomText(24)}` };
  payouts.provider.dispute(await payOut('2030-03-03'), [
    { ...givenBack(300), id: other.id },
    { ...other, status: 'won', amountMinor: 300 },
  ]);
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
  expect(
    await rows(`SELECT kind, occurrences FROM payout_lines WHERE object_id = '${other.id}'
                      ORDER BY kind`),
  ).toEqual([
    { kind: 'dispute', occurrences: 1 },
    { kind: 'dispute_reversal', occurrences: 1 },
  ]);
  expect(await rows('SELECT matched FROM payout_list ORDER BY date DESC LIMIT 1')).toEqual([
    { matched: 4 },
  ]);
});

test('the ledger books the fee with the dispute even if the payout line of the reversal is read first', async () => {
  const { provider } = payouts;
  const other = { ...dispute, id: `dspt_${randomText(24)}` };
  provider.dispute(await payOut('2030-03-03'), [{ ...givenBack(), id: other.id }]);
  await payouts.nextDay();
  expect(await booked()).toEqual([TAKEN]);
  provider.dispute(await payOut('2030-03-04'), [
    { ...other, status: 'won', amountMinor: DISPUTED },
  ]);
  await payouts.nextDay();
  expect(await booked()).toEqual([TAKEN, TAKEN, BACK]);
  expect((await payouts.exceptions()).filter(({ closed_by: by }) => by === null)).toEqual([]);
});

test('the ledger books a won dispute once, even if the payout and later reads show it repeatedly', async () => {
  const { provider } = payouts;
  const [first] = provider.payouts.slice(-1);
  const [line] = provider.linesOf(String(first?.['id']));
  provider.listed.push({ ...line, status: 'disputed' });
  provider.disputes.unshift({
    ...dispute,
    status: 'won',
    amount: DISPUTED,
    fee: FEE,
    type: 'chargeback',
    response: '45',
    created: Math.floor(Date.parse(payouts.at()) / 1_000),
    currency: 'eur',
    payout: null,
    order_id: null,
  });
  provider.dispute(await payOut('2030-03-03'), [givenBack()]);
  await payouts.nextDay();
  await payouts.nextDay();
  const reader = new LogReader(payouts.bench.pool, UPCASTERS);
  await rebuildProjection(payouts.bench.pool, reader, ledger);
  await drain(payouts.bench.pool, new ProjectionRunner(payouts.bench.pool, reader, [ledger]));
  expect(await countOf('DisputeReversed')).toBe(1);
  expect(await booked()).toEqual([TAKEN, BACK]);
  expect(await payouts.exceptions()).toEqual([]);
});

test('the reconciliation opens a break if the reversal’s amount differs from the dispute’s, or if a second payout line lists the reversal', async () => {
  payouts.provider.dispute(await payOut('2030-03-03'), [givenBack(499)]);
  await payouts.nextDay();
  payouts.provider.dispute(await payOut('2030-03-04'), [givenBack()]);
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([
    { kind: 'amount', expected: '500', observed: '499', closed_by: null },
    { kind: 'duplicate', expected: 'one line', observed: expect.any(String), closed_by: null },
  ]);
  expect(await booked()).toEqual([TAKEN, BACK]);
});

test('the reconciliation reports a won dispute that is in no payout as missing, until it is paid out', async () => {
  const { provider } = payouts;
  const [first] = provider.payouts.slice(-1);
  provider.listed.push({ ...provider.linesOf(String(first?.['id']))[0], status: 'disputed' });
  provider.disputes.unshift({
    ...dispute,
    status: 'won',
    amount: DISPUTED,
    fee: FEE,
    type: 'chargeback',
    response: '45',
    created: Math.floor(Date.parse(payouts.at()) / 1_000),
    currency: 'eur',
    payout: null,
    order_id: null,
  });
  for (const date of ['2030-03-03', '2030-03-04', '2030-03-05']) {
    await payOut(date);
    await payouts.nextDay();
  }
  const found = () => rows('SELECT kind, line_kind, closed_by FROM reconciliation_exceptions');
  expect(await found()).toEqual([
    { kind: 'missing', line_kind: 'dispute_reversal', closed_by: null },
  ]);
  provider.dispute(await payOut('2030-03-06'), [givenBack()]);
  await payouts.nextDay();
  expect(await found()).toEqual([
    { kind: 'missing', line_kind: 'dispute_reversal', closed_by: 'facts' },
  ]);
});
