import { HOUR_MS, instantFromMs, newId, plusMs, randomText } from '#kernel';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { ActionBench } from './actions.fixture.js';
import { approve, ask, pathOf, type Person } from './requests.fixture.js';

/*
 * A database restore lost the events of a debit. A new debit of the same mandate and amount is not
 * sent until an operator has decided whether the two are the same.
 */

let bench: ActionBench;
let jane: Person;
let john: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  const { admin } = bench;
  [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
});
afterAll(() => bench.stop());

interface Held {
  readonly paymentId: string;
  readonly jobId: string;
  readonly attemptId: string;
}

const placeByMandate = async (accountId: string, mandateId: string): Promise<string> => {
  const { admin, provider } = bench;
  const [orderId, intentId, at] = [newId('ord'), newId('pi'), instantFromMs(Date.now())];
  const money = { amountMinor: 1_250, currency: 'eur' } as const;
  const metadata = {
    correlationId: orderId,
    causationId: 'spec',
    actor: 'platform:shop',
    traceparent: null,
  };
  const paymentId = await admin.store.step(metadata, async (step) => {
    step.create(orderAggregate, orderId, {
      type: 'PlaceOrder',
      ...money,
      platformId: 'shop',
      merchantId: 'm1',
      accountId,
      reference: randomText(12),
      methods: ['sepa'],
      mandateId,
      returnUrl: null,
      description: null,
      capture: { policy: 'automatic' },
      metadata: {},
      expiresAt: plusMs(at, HOUR_MS),
      at,
    });
    await step.react();
    const order = await step.load(orderAggregate, orderId);
    return order.status === 'open' ? (order.payments[0] ?? '') : '';
  });
  const status = 'open';
  await admin.store.execute(
    paymentAggregate,
    paymentId,
    {
      type: 'ObservePayment',
      paymentId,
      at,
      observation: {
        intent: { intentId, reference: paymentId, pageUrl: 'https://pay.test/p', status, ...money },
        attempts: null,
        refunds: null,
        disputes: null,
      },
    },
    metadata,
  );
  provider.intent = {
    id: intentId,
    status: 'require_payment_method',
    amount: 1_250,
    currency: 'eur',
    capture: false,
    order_id: paymentId,
    url: 'https://pay.test/p',
    created_at: Math.floor(Date.now() / 1_000),
    payment: null,
  };
  return paymentId;
};

const heldDebit = async (): Promise<Held> => {
  const { pool } = bench.admin;
  const { used: accountId } = await bench.anotherAccount();
  const [mandateId, attemptId] = [newId('sepa'), newId('paym')];
  await pool.query(
    `INSERT INTO lost_debits (attempt_id, account_id, mandate_id, amount_minor, currency, created_at)
     VALUES ($1, $2, $3, 1250, 'eur', now())`,
    [attemptId, accountId, mandateId],
  );
  const paymentId = await placeByMandate(accountId, mandateId);
  await pool.query(
    `UPDATE jobs SET state = 'done' WHERE subject_id = $1 AND kind <> 'debit_mandate'`,
    [paymentId],
  );
  const {
    rows: [job],
  } = await pool.query<{ jobId: string }>(
    `UPDATE jobs SET state = 'stuck' WHERE subject_id = $1 AND kind = 'debit_mandate'
     RETURNING key AS "jobId"`,
    [paymentId],
  );
  return { paymentId, jobId: job?.jobId ?? '', attemptId };
};

const othersOf = async (attemptId: string): Promise<unknown> => {
  const {
    rows: [debit],
  } = await bench.admin.pool.query<{ others: string[] }>(
    'SELECT unrelated_payments AS others FROM lost_debits WHERE attempt_id = $1',
    [attemptId],
  );
  return debit?.others;
};

const stateOf = async (jobId: string): Promise<unknown> => {
  const {
    rows: [job],
  } = await bench.admin.pool.query<{ state: string }>('SELECT state FROM jobs WHERE key = $1', [
    jobId,
  ]);
  return job?.state;
};

test('an order’s debit is rejected, not sent, when an operator decides that the debit was already made before the database restore', async () => {
  const { paymentId, jobId, attemptId } = await heldDebit();
  const asked = await ask(jane, 'resolve_result', { subjectId: jobId });
  expect(asked).toMatchObject({ status: 201, body: { status: 'pending' } });
  expect((await approve(john, pathOf(asked))).body).toMatchObject({
    status: 'done',
    outcome: { outcome: 'made', paymentId },
  });
  expect(await othersOf(attemptId)).toEqual([]);
  expect(await stateOf(jobId)).toBe('waiting');
  const { state } = await bench.admin.store.load(paymentAggregate, paymentId);
  expect(state).toMatchObject({ debit: 'rejected' });
});

test('an order’s debit is sent when an operator decides that the debit found at the provider belongs to an order that the database restore lost', async () => {
  const { paymentId, jobId, attemptId } = await heldDebit();
  const request = {
    kind: 'resolve_result',
    target: { subjectId: jobId, refundIs: 'others' },
    reason: 'asked',
  };
  const { body: shown } = await jane.post('/v1/actions/dry-run', request);
  expect(shown).toMatchObject({
    events: [],
    notes: [
      {
        code: 'resolved_as',
        outcome: 'others',
        intent: expect.stringContaining(
          `, and ${attemptId} in the period whose events a database restore lost`,
        ) as string,
      },
    ],
  });
  const asked = await ask(jane, 'resolve_result', { subjectId: jobId, refundIs: 'others' });
  expect((await approve(john, pathOf(asked))).body).toMatchObject({
    status: 'done',
    outcome: { outcome: 'others' },
  });
  expect(await othersOf(attemptId)).toEqual([paymentId]);
  expect(await stateOf(jobId)).toBe('waiting');
  const { state } = await bench.admin.store.load(paymentAggregate, paymentId);
  expect(state).toMatchObject({ debit: 'requested' });
});
