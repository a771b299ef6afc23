import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { START, WorkerBench } from '../worker.fixture.js';
import { drain } from './drain.fixture.js';
import { paymentList } from '#payment';
import { ProjectionRunner, rebuildProjection } from '#projections';

let bench: WorkerBench;
let reader: LogReader;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  reader = new LogReader(bench.pool, UPCASTERS);
});
afterAll(() => bench.close());

const at = (minutes: number): string =>
  new Date(Date.parse(START) + minutes * 60_000).toISOString();

const write = async (id: string, events: readonly (readonly [string, object])[]): Promise<void> => {
  for (const [index, [type, data]] of events.entries()) {
    await bench.admin.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       SELECT 'payment', $1, coalesce(max(version), 0) + 1, gen_random_uuid(), $2, 1, $3, $4
         FROM events WHERE stream_type = 'payment' AND stream_id = $1`,
      [id, type, { at: at(index), ...data }, bench.metadata(id)],
    );
  }
};

const requested = [
  'IntentRequested',
  {
    orderId: 'ord_1',
    platformId: 'shop',
    accountId: 'acc_1',
    amountMinor: 1_250,
    currency: 'eur',
    methods: ['card', 'sepa'],
    returnUrl: null,
    description: null,
  },
] as const;
const authorized = ['PaymentAuthorized', { attemptId: 'paym_1', expiresAt: at(900) }] as const;
const asked = (requestId: string, amountMinor: number) =>
  ['RefundRequested', { requestId, amountMinor, reference: null, reason: null }] as const;
const recorded = (type: string, refundId: string, requestId: string | null, amountMinor: number) =>
  [type, { refundId, requestId, amountMinor, createdAt: START }] as const;
const dispute = [
  'DisputeObserved',
  {
    disputeId: 'dspt_1',
    kind: 'chargeback',
    amountMinor: 700,
    feeMinor: 1_500,
    response: '4837',
    payerReasonCode: '45',
    createdAt: START,
  },
] as const;

const refunds = () =>
  bench.rows(
    `SELECT refund_id AS id, status, amount_minor::int AS amount, method, provider_refund_id AS made,
          requested, updated_at AS updated, version FROM refund_list ORDER BY 1`,
  );
const disputes = () =>
  bench.rows(
    'SELECT dispute_id AS id, status, payment_id AS payment, updated_at AS updated FROM ' +
      'dispute_list',
  );

const AS_RECORDED = [
  {
    id: 'refd_2',
    status: 'to_refund',
    amount: 100,
    method: 'card',
    made: 'refd_2',
    requested: false,
    updated: new Date(at(5)),
    version: 6,
  },
  {
    id: 'rfr_1',
    status: 'refunded',
    amount: 500,
    method: 'card',
    made: 'refd_1',
    requested: true,
    updated: new Date(at(4)),
    version: 5,
  },
];

test('the refund and dispute lists show the values of the payment’s events', async () => {
  const runner = new ProjectionRunner(bench.pool, reader, [paymentList]);
  await write('pay_1', [requested, authorized, asked('rfr_1', 500)]);
  await drain(bench.pool, runner);
  expect(await refunds()).toMatchObject([{ id: 'rfr_1', status: 'requested', made: null }]);
  for (const [minutes, event] of [
    [3, recorded('RefundObserved', 'refd_1', 'rfr_1', 500)],
    [4, recorded('RefundSucceeded', 'refd_1', 'rfr_1', 500)],
    [5, recorded('RefundObserved', 'refd_2', null, 100)],
    [6, dispute],
    [7, ['DisputeStatusChanged', { disputeId: 'dspt_1', status: 'won' }]],
  ] as const) {
    await write('pay_1', [[event[0], { ...event[1], at: at(minutes) }]]);
    await drain(bench.pool, runner);
  }
  expect(await refunds()).toEqual(AS_RECORDED);
  expect(await disputes()).toEqual([
    { id: 'dspt_1', status: 'won', payment: 'pay_1', updated: new Date(at(7)) },
  ]);
});

test('a rebuild of a payment’s row rebuilds the rows of its refunds and disputes', async () => {
  await bench.admin.query(`UPDATE refund_list SET status = 'failed'; DELETE FROM dispute_list`);
  await rebuildProjection(bench.pool, reader, paymentList);
  expect(await refunds()).toEqual(AS_RECORDED);
  expect(await disputes()).toHaveLength(1);
});

test('a payment’s row that an older release wrote without refunds ignores events of these refunds until a rebuild', async () => {
  await bench.admin.query(
    `UPDATE payment_list SET refunds = '[]', disputes = '[]'; DELETE FROM refund_list`,
  );
  await write('pay_1', [
    recorded('RefundSent', 'refd_2', null, 100),
    ['DisputeStatusChanged', { disputeId: 'dspt_1', status: 'won' }],
  ]);
  await drain(bench.pool, new ProjectionRunner(bench.pool, reader, [paymentList]));
  expect(await refunds()).toEqual([]);
  await rebuildProjection(bench.pool, reader, paymentList);
  expect(await refunds()).toMatchObject([{ id: 'refd_2', status: 'refund_sent' }, { id: 'rfr_1' }]);
});
