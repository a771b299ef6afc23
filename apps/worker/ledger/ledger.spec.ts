import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { type Observation, paymentAggregate, type PaymentCommand } from '#payment';
import { NO_LINES, payoutAggregate, type PayoutCommand } from '#payout';
import { drain } from '../projections/drain.fixture.js';
import { ProjectionRunner, rebuildProjection } from '#projections';
import { START, WorkerBench } from '../worker.fixture.js';
import { ledger } from './ledger.js';

let bench: WorkerBench;
let reader: LogReader;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  reader = new LogReader(bench.pool, UPCASTERS);
});
afterAll(() => bench.close());

const observe = (n: number, changes: Partial<Observation> = {}): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: `pay_${n}`,
  at: START,
  observation: {
    intent: {
      intentId: `pi_${n}`,
      reference: `pay_${n}`,
      pageUrl: 'https://pay.example',
      status: 'captured',
      amountMinor: 1_000,
      currency: 'eur',
    },
    attempts: [
      {
        attemptId: `paym_${n}`,
        status: 'captured',
        response: '00',
        method: 'card',
        mandateId: null,
        authorizedUntil: START,
      },
    ],
    refunds: null,
    disputes: null,
    ...changes,
  },
});

const capture = async (n: number, accountId: string): Promise<void> => {
  const id = `pay_${n}`;
  await bench.store.execute(
    paymentAggregate,
    id,
    {
      type: 'RequestIntent',
      orderId: `ord_${n}`,
      platformId: 'shop',
      accountId,
      amountMinor: 1_000,
      currency: 'eur',
      methods: ['card'],
      returnUrl: null,
      description: null,
      at: START,
    },
    bench.metadata(`ord_${n}`),
  );
  await bench.store.execute(paymentAggregate, id, observe(n), bench.metadata(`ord_${n}`));
};

const payout = (status: string): PayoutCommand => ({
  type: 'ObservePayout',
  at: START,
  account: { accountId: 'acc_1', platformId: 'shop', merchantId: 'm1', mode: 'test' },
  observation: {
    status,
    reference: 'r',
    currency: 'eur',
    amountMinor: 1_967,
    feesMinor: 28,
    feesVatMinor: 5,
    date: '2030-03-01',
    bankDate: null,
    totals: {
      payment: { card: { count: 2, amountMinor: 2_000, feesMinor: 28 }, sepa: NO_LINES },
      refund: { card: NO_LINES, sepa: NO_LINES },
      dispute: { card: NO_LINES, sepa: NO_LINES },
    },
  },
});

const newRunner = () => new ProjectionRunner(bench.pool, reader, [ledger]);

const journal = () =>
  bench.rows(
    `SELECT kind, object_id AS id, capture_id AS capture, payer_minor AS payer, provider_minor AS provider,
          merchant_minor AS merchant, fees_minor AS fees, vat_minor AS vat,
          disputes_minor AS disputes
     FROM ledger_journal ORDER BY kind, object_id`,
  );

const EXPECTED = [
  {
    kind: 'payment',
    id: 'pay_1',
    capture: 'cap_1',
    payer: '-1000',
    provider: '986',
    merchant: '0',
    fees: '14',
    vat: '0',
    disputes: '0',
  },
  {
    kind: 'payment',
    id: 'pay_2',
    capture: 'cap_2',
    payer: '-1000',
    provider: '986',
    merchant: '0',
    fees: '14',
    vat: '0',
    disputes: '0',
  },
  {
    kind: 'payment',
    id: 'pay_3',
    capture: 'cap_3',
    payer: '-1000',
    provider: '986',
    merchant: '0',
    fees: '14',
    vat: '0',
    disputes: '0',
  },
  {
    kind: 'payout',
    id: 'pout_1',
    capture: null,
    payer: '0',
    provider: '-1972',
    merchant: '1967',
    fees: '0',
    vat: '5',
    disputes: '0',
  },
];

const ACCOUNTS = ['payer', 'provider', 'merchant', 'fees', 'vat', 'disputes'];

const columns = (of: (column: string) => string): string =>
  ACCOUNTS.map((name) => `${of(`${name}_minor`)}::text AS ${name}`).join(', ');

/** The sums of the journal's entries, and the stored balances. */
const balances = () =>
  Promise.all([
    bench.rows(`SELECT account_id, currency, ${columns((column) => `sum(${column})`)}
                FROM ledger_journal GROUP BY platform_id, account_id, currency ORDER BY account_id`),
    bench.rows(`SELECT account_id, currency, ${columns((column) => column)} FROM ledger_balances
                ORDER BY account_id`),
  ]);

const expectBalances = async (): Promise<void> => {
  const [added, kept] = await balances();
  expect(kept).toEqual(added);
  expect(kept).toMatchObject([
    { account_id: 'acc_1', currency: 'eur', payer: '-2000', vat: '5' },
    { account_id: 'acc_2', currency: 'eur', payer: '-1000', vat: '0' },
  ]);
};

test('the ledger contains one row per event that moves money, even if two processes project the events concurrently', async () => {
  await capture(1, 'acc_1');
  await capture(2, 'acc_1');
  await capture(3, 'acc_2');
  await bench.store.execute(payoutAggregate, 'pout_1', payout('sent'), bench.metadata('pout_1'));
  await Promise.all([drain(bench.pool, newRunner()), drain(bench.pool, newRunner())]);
  expect(await journal()).toEqual(EXPECTED);
  await expectBalances();
});

test('a rebuild of the ledger from the event log writes the original rows, even if the table contained wrong rows', async () => {
  await bench.admin.query(
    `UPDATE ledger_journal SET payer_minor = payer_minor - 1, fees_minor = fees_minor + 1;
     UPDATE ledger_balances SET payer_minor = payer_minor - 1, fees_minor = fees_minor + 1`,
  );
  await rebuildProjection(bench.pool, reader, ledger);
  await drain(bench.pool, newRunner());
  expect(await journal()).toEqual(EXPECTED);
  await expectBalances();
});

test('the ledger’s table rejects a row that does not sum to zero, also after the table was rebuilt', async () => {
  await expect(
    bench.admin.query('UPDATE ledger_journal SET payer_minor = payer_minor - 1'),
  ).rejects.toMatchObject({ constraint: 'ledger_journal_balances' });
});
