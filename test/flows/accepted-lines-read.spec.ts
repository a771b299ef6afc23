import { lendBenchDatabases } from '../../apps/worker/worker.fixture.js';
import { some } from '../../apps/worker/payouts/payout-provider.fixture.js';
import { PayoutsBench } from '../../apps/worker/payouts/payouts-bench.fixture.js';
import { acceptLineOf } from './payout-books.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

const rows = <T extends object>(sql: string) => payouts.bench.rows<T>(sql);

/** A payment that the merchant made past us. */
const foreign = some(undefined, {});
/** Its amount of 19.99 less its fee of 0.21. */
const NET = 1_978;

/** What the provider owes the merchant according to the ledger. */
const owedMinor = async (): Promise<number> =>
  (await rows<{ owed: number }>('SELECT provider_minor::int AS owed FROM ledger_balances'))[0]
    ?.owed ?? 0;

/** The open breaks of lines. */
const open = () =>
  rows<{ id: string; kind: string; payoutId: string }>(
    `SELECT exception_id AS id, kind, payout_id AS "payoutId" FROM reconciliation_exceptions
      WHERE line_kind <> 'payout' AND closed_at IS NULL ORDER BY kind`,
  );

/** Accepts the lines of all open breaks, and compares them the next day. */
const acceptAll = async (): Promise<void> => {
  for (const { id } of await open()) expect(await acceptLineOf(payouts.bench, id)).toBeNull();
  await payouts.nextDay();
};

/** Changes a payout of the provider; the newest payout is the first. */
const change = (n: number, changes: Readonly<Record<string, unknown>>): void => {
  Object.assign(payouts.provider.payouts[n] ?? {}, changes);
};

const correctionsOf = (payoutId: string) =>
  rows(
    `SELECT provider_minor::int AS provider FROM ledger_journal
      WHERE stream_id = '${payoutId}' AND kind = 'payment_correction' ORDER BY provider_minor`,
  );

/** A paid payout that contains only a foreign payment, which operators have accepted. */
const acceptedPayout = async (): Promise<string> => {
  const id = payouts.provider.pay([foreign], '2030-03-01');
  change(0, { status: 'sent' });
  await payouts.nextDay();
  expect(await open()).toMatchObject([{ kind: 'unknown', payoutId: id }]);
  change(0, { status: 'paid' });
  await acceptAll();
  expect(await open()).toEqual([]);
  expect(await owedMinor()).toBe(0);
  expect(await rows(`SELECT kind FROM jobs WHERE kind LIKE 'payout.%'`)).toEqual([]);
  return id;
};

/** The next payout, with the lines of an earlier one. */
const paidAgain = (earlier: string): string => {
  const { provider } = payouts;
  const id = provider.pay([foreign], '2030-03-05');
  provider.setLines(id, provider.linesOf(earlier));
  change(0, { status: 'sent' });
  return id;
};

test('a failed payout reverses its corrections when its foreign payment is paid again, even if the provider no longer lists it', async () => {
  const first = await acceptedPayout();
  change(0, { status: 'failed', created: 1 });
  const second = paidAgain(first);
  await payouts.nextDay();
  expect(await rows('SELECT status FROM payout_list ORDER BY date')).toEqual([
    { status: 'failed' },
    { status: 'sent' },
  ]);
  expect(await correctionsOf(first)).toEqual([{ provider: -NET }, { provider: NET }]);
  expect(await open()).toMatchObject([{ kind: 'unknown', payoutId: second }]);
  await acceptAll();
  expect(await open()).toEqual([]);
  expect(await owedMinor()).toBe(0);
});

test('a foreign payment that two payouts contain is a duplicate in the second payout only', async () => {
  const second = paidAgain(await acceptedPayout());
  await payouts.nextDay();
  expect(await open()).toMatchObject([{ kind: 'duplicate', payoutId: second }]);
  await acceptAll();
  expect(await open()).toEqual([]);
  expect(await owedMinor()).toBe(0);
});

test('an accepted line that the provider removes has a break, even if the lines of its payout never were its totals', async () => {
  const { provider } = payouts;
  const [ours] = await payouts.accepted(1);
  const id = provider.pay([some(ours, {}), foreign], '2030-03-01');
  // The stated totals have a fee too many.
  const card = { amount: 3_998, count: 2, fees: 43 };
  const sepa = { amount: 0, count: 0, fees: 0 };
  change(0, { status: 'sent', payments: { amount: 3_998, method: { card, sepa } } });
  for (let day = 0; day < 10; day += 1) await payouts.nextDay();
  expect(await open()).toMatchObject([{ kind: 'unknown' }]);
  const before = await owedMinor();
  await acceptAll();
  expect(await open()).toEqual([]);
  expect(await owedMinor()).toBe(before + NET);

  provider.setLines(
    id,
    provider.linesOf(id).filter((line) => line['order_id'] !== null),
  );
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await open()).toMatchObject([{ kind: 'amount' }, { kind: 'fee' }]);
  await acceptAll();
  expect(await open()).toEqual([]);
  expect(await correctionsOf(id)).toEqual([{ provider: -NET }, { provider: NET }]);
  expect(await owedMinor()).toBe(before);
});
