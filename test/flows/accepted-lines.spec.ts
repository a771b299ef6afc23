import fc from 'fast-check';
import { correctionsOf } from '#payout';
import { WorkerBench } from '../../apps/worker/worker.fixture.js';
import { PAYOUTS_TO_COMPARE } from '../../apps/worker/payouts/reconcile-sql.js';
import { type Fact, type Line, PayoutBooks } from './payout-books.fixture.js';

let bench: WorkerBench;
let books: PayoutBooks;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
});
beforeEach(() => {
  books = new PayoutBooks(bench);
});
afterAll(() => bench.close());

const MONEY = { amountMinor: 1_999, feeMinor: 21 };

const ours: Fact = { kind: 'payment', id: 'pay_1', ...MONEY };

const lineOf = (id: string, changes: Partial<Line> = {}): Line => ({
  kind: 'payment',
  id,
  journalId: 'pay_1',
  times: 1,
  ...MONEY,
  ...changes,
});

/** A payment that the merchant made past us. */
const foreign = lineOf('paym_foreign', { journalId: 'paym_foreign' });

const DATES = ['2030-02-25', '2030-02-26', '2030-02-27'] as const;

const breaks = async (): Promise<readonly string[]> => (await books.open()).map(({ text }) => text);

/** Everything is accepted: the ledger equals the provider. */
const allIsEqual = async (): Promise<void> => {
  expect(await breaks()).toEqual([]);
  expect(await books.owedMinor()).toBe(books.unpaidMinor());
};

test.each([
  ['the fee', ours, lineOf('paym_1', { feeMinor: 24 }), ['fee paym_1']],
  ['the amount', ours, lineOf('paym_1', { amountMinor: 3_000 }), ['amount paym_1']],
  [
    'the amount and the fee',
    ours,
    lineOf('paym_1', { amountMinor: 3_000, feeMinor: 31 }),
    ['amount paym_1', 'fee paym_1'],
  ],
  ['the occurrences', ours, lineOf('paym_1', { times: 2 }), ['duplicate paym_1']],
  ['the payment', null, foreign, ['unknown paym_foreign']],
  [
    'a refund',
    null,
    lineOf('refd_1', { kind: 'refund', journalId: 'refd_1', feeMinor: 0 }),
    ['unknown refd_1'],
  ],
  [
    'a won dispute',
    { kind: 'dispute', id: 'dspt_1', amountMinor: 500, feeMinor: 1_500 },
    lineOf('dspt_1', { kind: 'dispute_reversal', journalId: 'dspt_1', feeMinor: 0 }),
    ['unknown dspt_1'],
  ],
] as const)(
  'the ledger equals the provider once operators accept %s of a line, however often',
  async (_what, fact, line, expected) => {
    if (fact !== null) await books.book(fact);
    await books.pay([line], DATES[0]);
    await books.compare();
    expect(await breaks()).toEqual(expected);
    await books.settle();
    await allIsEqual();
    await books.settle();
    await allIsEqual();
  },
);

test('two payments of one line in a payout have separate corrections', async () => {
  await books.book(ours);
  await books.pay([lineOf('paym_1', { feeMinor: 24 }), lineOf('paym_2')], DATES[0]);
  await books.compare();
  expect(await breaks()).toEqual(['duplicate paym_2', 'fee paym_1']);
  await books.settle();
  await allIsEqual();
});

test('a fact that is booked after its line was accepted opens a break, whose acceptance reverses the correction', async () => {
  await books.pay([lineOf('paym_1')], DATES[0]);
  await books.settle();
  await allIsEqual();
  await books.book(ours);
  await books.compare();
  expect(await breaks()).toEqual(['amount paym_1', 'fee paym_1']);
  await books.settle();
  await allIsEqual();
});

test('a payout with accepted lines is compared again only when one of them differs again', async () => {
  const chosen = async () => {
    const values = [books.accountId, bench.clock.now(), 7];
    const found = await bench.rows<{ id: string }>(PAYOUTS_TO_COMPARE, ...values);
    return found.map(({ id }) => id);
  };
  const payout = await books.pay([lineOf('paym_1')], DATES[0]);
  await books.pay([foreign], DATES[1]);
  await books.settle();
  await allIsEqual();
  expect(await chosen()).toEqual([]);
  await books.book(ours);
  expect(await chosen()).toEqual([payout]);
});

test('the corrections of a payout are read by their index', async () => {
  const plan = await bench.rows<{ 'QUERY PLAN': string }>(
    `EXPLAIN ${correctionsOf(`'${books.accountId}'`, `'pout_1'`)}`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('ledger_journal_corrections');
});

test('an accepted line that the provider removes has a break, whose acceptance reverses the correction', async () => {
  const payout = await books.pay([foreign], DATES[0]);
  await books.settle();
  await books.show(payout, [{ ...foreign, id: 'paym_other' }]);
  await books.compare();
  expect(await breaks()).toEqual(['amount paym_foreign', 'fee paym_foreign', 'unknown paym_other']);
  await books.settle();
  await allIsEqual();
  // A line that comes back is as unknown as before.
  await books.show(payout, [foreign]);
  await books.compare();
  expect(await breaks()).toContain('unknown paym_foreign');
  await books.settle();
  await allIsEqual();
});

test('the correction of a failed payout is reversed, and its line has a break in the next payout', async () => {
  await books.book(ours);
  await books.pay([lineOf('paym_1')], DATES[0]);
  const failing = await books.pay([lineOf('paym_1'), foreign], DATES[1]);
  await books.settle();
  await allIsEqual();
  await books.fail(failing);
  await books.compare();
  await allIsEqual();
  await books.pay([lineOf('paym_1'), foreign], DATES[2]);
  await books.compare();
  expect(await breaks()).toEqual(['duplicate paym_1', 'unknown paym_foreign']);
  await books.settle();
  await allIsEqual();
});

test('an accepted second line that becomes the first one, because the first payout fails, has a break', async () => {
  await books.book(ours);
  const failing = await books.pay([lineOf('paym_1')], DATES[0]);
  await books.pay([lineOf('paym_1')], DATES[1]);
  await books.settle();
  await allIsEqual();
  await books.fail(failing);
  await books.compare();
  expect(await breaks()).toEqual(['amount paym_1', 'fee paym_1']);
  await books.settle();
  await allIsEqual();
});

test('a line cannot be accepted before its payout is sent', async () => {
  const payout = await books.pay([foreign], DATES[0]);
  await books.compare();
  const [{ id } = { id: '' }] = await books.open();
  expect(await books.accept(id)).toBe('payout_may_change');
  await books.send(payout);
  expect(await books.accept(id)).toBeNull();
});

/** An operator closes the account's open breaks of this kind, which books nothing. */
const close = (kind: string) =>
  bench.rows(
    `UPDATE reconciliation_exceptions SET closed_at = now(), closed_by = 'user:u', close_reason = ''
      WHERE account_id = $1 AND kind = $2 AND closed_at IS NULL`,
    books.accountId,
    kind,
  );

const closed = () =>
  bench.rows(
    `SELECT kind, closed_by FROM reconciliation_exceptions WHERE account_id = $1 ORDER BY kind`,
    books.accountId,
  );

test('an acceptance opens the breaks of the line that operators have closed, and facts close them', async () => {
  await books.book(ours);
  await books.pay([lineOf('paym_1', { amountMinor: 3_000, feeMinor: 31 })], DATES[0]);
  await books.compare();
  await close('fee');
  await books.settle();
  await allIsEqual();
  expect(await closed()).toEqual([
    { kind: 'amount', closed_by: 'facts' },
    { kind: 'fee', closed_by: 'facts' },
  ]);
});

test('a line can be accepted after an operator has closed its break, but not after facts have closed it', async () => {
  const payout = await books.pay([foreign], DATES[0]);
  await books.send(payout);
  await books.compare();
  const [{ id } = { id: '' }] = await books.open();
  await close('unknown');
  expect(await books.accept(id)).toBeNull();
  await books.compare();
  await allIsEqual();
  expect(await closed()).toEqual([{ kind: 'unknown', closed_by: 'facts' }]);
  expect(await books.accept(id)).toBe('entity_not_found');
});

/** The lines that a payout may have: two of one payment, deductions, and unknown payments. */
const LINES: readonly Line[] = [
  lineOf('paym_1'),
  lineOf('paym_2'),
  lineOf('paym_3', { journalId: 'pay_3' }),
  foreign,
  lineOf('paym_past', { journalId: 'paym_past' }),
  lineOf('refd_1', { kind: 'refund', journalId: 'refd_1' }),
  lineOf('refd_2', { kind: 'refund', journalId: 'refd_2' }),
  lineOf('dspt_1', { kind: 'dispute', journalId: 'dspt_1' }),
  lineOf('dspt_1', { kind: 'dispute_reversal', journalId: 'dspt_1' }),
];
const FACTS: readonly Fact[] = [
  ours,
  { ...ours, id: 'pay_3' },
  { ...ours, kind: 'refund', id: 'refd_1' },
  { ...ours, kind: 'refund', id: 'refd_2' },
  { ...ours, kind: 'dispute', id: 'dspt_1' },
  { ...ours, kind: 'dispute_reversal', id: 'dspt_1' },
];

const money = fc.record({
  amountMinor: fc.constantFrom(1_999, 1_999, 500),
  feeMinor: fc.constantFrom(21, 21, 24),
});
const some = fc.nat(8);
const step = fc.oneof(
  fc.record({ do: fc.constant('book' as const), fact: fc.constantFrom(...FACTS), money }),
  fc.record({
    do: fc.constant('pay' as const),
    date: fc.constantFrom(...DATES),
    lines: fc.uniqueArray(
      fc
        .record({ line: fc.constantFrom(...LINES), money, times: fc.constantFrom(1, 1, 2) })
        .map(({ line, money: of, times }) => ({ ...line, ...of, times })),
      { minLength: 1, maxLength: 4, selector: ({ kind, id }) => `${kind} ${id}` },
    ),
  }),
  fc.record({ do: fc.constantFrom('send' as const, 'fail' as const), some }),
  fc.record({ do: fc.constant('replace' as const), some, line: some, by: some }),
  fc.record({ do: fc.constantFrom('compare' as const, 'accept' as const), some }),
);

/** The lines with one of them replaced by another one of its kind, so that the sums are the same. */
const replaced = (lines: readonly Line[], n: number, by: number): readonly Line[] => {
  const old = lines[n % lines.length];
  const others = LINES.filter(({ kind }) => kind === old?.kind);
  const other = others[by % others.length];
  if (old === undefined || other === undefined) return lines;
  if (lines.some(({ kind, id }) => kind === other.kind && id === other.id)) return lines;
  const { amountMinor, feeMinor, times } = old;
  return lines.map((line) => (line === old ? { ...other, amountMinor, feeMinor, times } : line));
};

const run = async (of: PayoutBooks, one: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
  const payouts = [...of.payouts];
  const chosen = 'some' in one ? payouts[one.some % payouts.length] : undefined;
  switch (one.do) {
    case 'book':
      if (!of.facts.some(({ kind, id }) => kind === one.fact.kind && id === one.fact.id)) {
        await of.book({ ...one.fact, ...one.money });
      }
      return;
    case 'pay':
      await of.pay(one.lines, one.date);
      return;
    case 'send':
    case 'fail':
      if (chosen !== undefined) await of[one.do](chosen[0]);
      return;
    case 'replace':
      if (chosen !== undefined) {
        await of.show(chosen[0], replaced(chosen[1].lines, one.line, one.by));
      }
      return;
    case 'compare':
      await of.compare();
      return;
    case 'accept': {
      await of.compare();
      const open = await of.open();
      const found = open[one.some % open.length];
      if (found !== undefined) await of.accept(found.id);
    }
  }
};

test('the ledger equals the provider once everything is accepted, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (steps) => {
      const of = new PayoutBooks(bench);
      for (const one of steps) await run(of, one);
      await of.settle();
      expect((await of.open()).map(({ text }) => text)).toEqual([]);
      expect(await of.owedMinor()).toBe(of.unpaidMinor());
    }),
    { numRuns: 40 },
  );
});
