import { CallRunner, JobRunner, JobTable } from '#jobs';
import { DAY_MS, HOUR_MS, MINUTE_MS, plusMs } from '#kernel';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { orderAggregate } from '#order';
import {
  capturableMinor,
  exists,
  openCapture,
  PAYMENT_READ_DEADLINE,
  paymentAggregate,
  type PaymentCommand,
} from '#payment';
import { ProjectionRunner } from '#projections';
import { type CaptureFacts, type ListedPayment, type ListedRefund, readPayment } from '#psp';
import { ledger } from '../ledger/ledger.js';
import { PartialCaptureProvider } from '../partial-capture-provider.fixture.js';
import { PaymentIngest, type PaymentFact } from '../payouts/ingest-payments.js';
import { PayoutLines } from '../payouts/payout-lines.js';
import { drain } from '../projections/drain.fixture.js';
import { ACCOUNT, quiet, WorkerBench } from '../worker.fixture.js';
import { PaymentPoller } from './payment-poller.js';
import { paymentEffects } from './payment-effects.js';

const SEVERAL = { partialCapture: true, multipleCapture: true };

let provider: PartialCaptureProvider;
let bench: WorkerBench;
let runner: JobRunner;
const runners: JobRunner[] = [];

const newRunner = (): JobRunner => {
  const { store, clock, clientOf, capabilitiesOf, pool } = bench;
  const made = new JobRunner({
    table: new JobTable(pool),
    logger: quiet,
    now: () => clock.now(),
  });
  const family = paymentEffects({
    store,
    clock,
    clientOf,
    capabilitiesOf,
    lostTimes: () => Promise.resolve([]),
    heldDebitOf: () => Promise.resolve(null),
  });
  made.register(...new CallRunner(store, clock, quiet, [family]).kinds());
  runners.push(made);
  return made;
};

beforeAll(async () => {
  provider = new PartialCaptureProvider();
  bench = await WorkerBench.open('http://127.0.0.1:9', { adapter: provider, sagas: true });
  runner = newRunner();
});
afterAll(async () => {
  for (const one of runners) one.stop();
  await bench.close();
});

const runAll = async (by = runner): Promise<void> => {
  for (;;) {
    const claimed = await by.claim(10);
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((job) => by.run(job)));
  }
};

let orders = 0;

interface Paid {
  readonly orderId: string;
  readonly id: string;
  readonly intentId: string;
}

/** Creates an order of 20.00 with a payment that the payer has authorized. */
const authorizedOrder = async (): Promise<Paid> => {
  orders += 1;
  const orderId = `ord_${orders}`;
  const at = bench.clock.now();
  const placed = await bench.store.execute(
    orderAggregate,
    orderId,
    {
      type: 'PlaceOrder',
      platformId: 'plat_1',
      merchantId: 'm1',
      accountId: ACCOUNT,
      reference: `R-${orders}`,
      amountMinor: 2_000,
      currency: 'eur',
      capture: { policy: 'manual' },
      methods: ['card'],
      returnUrl: null,
      description: null,
      metadata: {},
      expiresAt: plusMs(at, HOUR_MS),
      at,
    },
    bench.metadata(orderId),
  );
  if (placed.status === 'not_placed') throw new Error('the order is placed');
  const { state } = await bench.store.load(orderAggregate, orderId);
  const id = state.status === 'not_placed' ? '' : (state.payments.at(-1) ?? '');
  await runAll();
  const { intentId } = provider.intentOf(id);
  provider.pay(intentId);
  const paid = { orderId, id, intentId };
  await refresh(paid);
  return paid;
};

const command = ({ orderId, id }: Paid, one: PaymentCommand) =>
  bench.store.execute(paymentAggregate, id, one, bench.metadata(orderId));

/**
 * Reads the payment and records what the provider shows, as a poll or a refresh does; runs no job.
 */
const refresh = async (paid: Paid): Promise<void> => {
  const observation = await readPayment(await bench.clientOf(), paid.intentId);
  await command(paid, {
    type: 'ObservePayment',
    paymentId: paid.id,
    observation,
    at: bench.clock.now(),
  });
};

const ask = (paid: Paid, captureId: string, amountMinor: number | null, isFinal = false) =>
  command(paid, {
    type: 'RequestCapture',
    captureId,
    by: 'platform',
    at: bench.clock.now(),
    part: { amountMinor, can: SEVERAL, isFinal },
  });

const capture = async (...asked: Parameters<typeof ask>): Promise<void> => {
  await ask(...asked);
  await runAll();
};

const clear = async (paid: Paid, status: 'sent' | 'captured'): Promise<void> => {
  provider.clear(status);
  await refresh(paid);
};

const orderOf = async ({ orderId }: Paid) =>
  (await bench.store.load(orderAggregate, orderId)).state;

/** The entries of the payment's captures in the ledger's journal. */
const bookedFor = async ({ id }: Paid) => {
  const log = new LogReader(bench.pool, UPCASTERS);
  await drain(bench.pool, new ProjectionRunner(bench.pool, log, [ledger]));
  return bench.rows(
    `SELECT object_id AS object, capture_id AS capture, amount_minor::int AS amount
       FROM ledger_journal WHERE stream_id = $1 ORDER BY capture_id`,
    id,
  );
};

const eventsOf = async ({ orderId }: Paid): Promise<readonly string[]> =>
  (await bench.store.readStreams([{ streamType: 'order', streamId: orderId }])).map(
    ({ type }) => type,
  );

describe('two partial captures of an authorization', () => {
  test('are each sent once, listed as two captures in a payout, and booked as two entries', async () => {
    const paid = await authorizedOrder();
    const before = provider.count('capture');
    await capture(paid, 'cap_a1', 500);
    expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 500 });
    await capture(paid, 'cap_b1', 700);
    await clear(paid, 'captured');
    expect(provider.count('capture') - before).toBe(2);
    expect(await bench.payment(paid.id)).toMatchObject({
      status: 'captured',
      unknown: [],
      mismatches: [],
      captures: [
        { captureId: 'cap_a1', amountMinor: 500, status: 'captured' },
        { captureId: 'cap_b1', amountMinor: 700, status: 'captured' },
      ],
    });
    expect((await eventsOf(paid)).slice(-2)).toEqual(['OrderPaid', 'OrderCaptured']);
    expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 1_200 });

    const theirs = provider.intentOf(paid.id).captures.map(({ captureId }) => captureId);
    expect(await bookedFor(paid)).toEqual([
      { object: theirs[0], capture: 'cap_a1', amount: 500 },
      { object: theirs[1], capture: 'cap_b1', amount: 700 },
    ]);
    const lines = new PayoutLines(bench.pool);
    await lines.write(
      ACCOUNT,
      'pout_1',
      { pass: 1, start: 0 },
      theirs.map((captureId, n) => ({
        kind: 'payment',
        objectId: captureId,
        providerPaymentId: 'try_1',
        paymentId: paid.id,
        captureId,
        method: 'card',
        currency: 'eur',
        amountMinor: n === 0 ? 500 : 700,
        feeMinor: 0,
      })),
    );
    expect(await lines.paymentsOf(ACCOUNT, ['try_1'])).toEqual(new Map([['try_1', paid.id]]));
    expect(
      await bench.rows(
        `SELECT j.capture_id AS capture, l.amount_minor::int AS amount
         FROM payout_lines l JOIN ledger_journal j
           ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
        ORDER BY 1`,
      ),
    ).toEqual([
      { capture: 'cap_a1', amount: 500 },
      { capture: 'cap_b1', amount: 700 },
    ]);
  });

  test('are both recorded if the worker crashes after the call of the second capture', async () => {
    const paid = await authorizedOrder();
    await capture(paid, 'cap_a2', 500);
    await ask(paid, 'cap_b2', 700);
    expect(await runner.claim(10)).toHaveLength(1);
    const client = await bench.clientOf();
    await client.captureIntent(paid.intentId, {
      reference: 'cap_b2',
      amountMinor: 700,
      isFinal: false,
    });
    await bench.admin.query(
      `UPDATE jobs SET held_until = clock_timestamp() - interval '1 s' WHERE state = 'running'`,
    );
    const before = provider.count('capture');
    await runAll(newRunner());
    expect(provider.count('capture')).toBe(before);
    expect(provider.intentOf(paid.id).captures).toHaveLength(2);
    expect(await orderOf(paid)).toMatchObject({ paidMinor: 1_200 });
  });

  test('are each sent once, and a third is refused while the result of the second is unknown', async () => {
    const paid = await authorizedOrder();
    await capture(paid, 'cap_a3', 500);
    provider.failNext('capture', 'lost');
    await capture(paid, 'cap_b3', 700);
    expect(await bench.payment(paid.id)).toMatchObject({ unknown: ['capture'] });
    await expect(ask(paid, 'cap_c3', 100)).rejects.toMatchObject({ code: 'capture_in_progress' });
    const before = provider.count('capture');
    bench.clock.advance(MINUTE_MS);
    await runAll();
    expect(provider.count('capture')).toBe(before);
    expect(await bench.payment(paid.id)).toMatchObject({ unknown: [] });
    await capture(paid, 'cap_c3', 100);
    expect(provider.intentOf(paid.id).captures.map(({ amountMinor }) => amountMinor)).toEqual([
      500, 700, 100,
    ]);
    expect(await orderOf(paid)).toMatchObject({ paidMinor: 1_300 });
  });

  test('can be refunded only up to the captured amount', async () => {
    const paid = await authorizedOrder();
    await capture(paid, 'cap_a4', 500);
    await capture(paid, 'cap_b4', 700);
    await clear(paid, 'sent');
    const refund = (requestId: string, amountMinor: number): PaymentCommand => ({
      type: 'RequestRefund',
      requestId,
      amountMinor,
      reference: null,
      reason: null,
      at: bench.clock.now(),
    });
    await expect(command(paid, refund('rfr_1', 1_201))).rejects.toMatchObject({
      code: 'refund_exceeds_payment',
    });
    await command(paid, refund('rfr_2', 1_200));
    await runAll();
    expect(provider.intentOf(paid.id).refunds).toMatchObject([{ amountMinor: 1_200 }]);
    expect(await bench.payment(paid.id)).toMatchObject({ refunds: [{ status: 'to_refund' }] });
  });
});

test('a capture of which the provider makes only a part pays the order with that part, and is a mismatch', async () => {
  const paid = await authorizedOrder();
  provider.maxCaptureMinor = 900;
  await capture(paid, 'cap_a20', 1_000, true);
  provider.maxCaptureMinor = Infinity;
  expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 900 });
  await clear(paid, 'captured');
  expect(await bench.payment(paid.id)).toMatchObject({
    status: 'captured',
    unknown: [],
    mismatches: ['capture:cap_a20 1000:cap_a20 900'],
    captures: [{ captureId: 'cap_a20', amountMinor: 900, status: 'captured' }],
    releasedMinor: 1_100,
  });
  expect(await bookedFor(paid)).toEqual([
    { object: expect.any(String), capture: 'cap_a20', amount: 900 },
  ]);
});

test('a capture whose amount the provider changes after it has paid the order changes the amount that is paid', async () => {
  const paid = await authorizedOrder();
  await capture(paid, 'cap_a21', 1_000);
  await capture(paid, 'cap_b21', 500, true);
  const intent = provider.intentOf(paid.id);
  intent.captures = intent.captures.map((one) =>
    one.reference === 'cap_a21' ? { ...one, amountMinor: 800 } : one,
  );
  await clear(paid, 'captured');
  expect(await bench.payment(paid.id)).toMatchObject({
    captures: [{ amountMinor: 800 }, { amountMinor: 500 }],
  });
  expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 1_300 });
  const events = await eventsOf(paid);
  expect(events.slice(-3)).toEqual(['OrderPaid', 'OrderCaptured', 'OrderCaptureCorrected']);
});

describe('a capture that the provider rejects', () => {
  const theirs = (amountMinor: number) =>
    ({ reference: null, captureId: 'cpt_theirs', amountMinor, status: 'accepted' }) as const;

  test('is recorded as failed, so that the platform can request a new capture', async () => {
    const paid = await authorizedOrder();
    provider.failNext('capture', 'refused');
    await capture(paid, 'cap_a8', 500);
    expect((await bench.story(paid.id)).at(-1)).toBe('CaptureRejected');
    expect(await bench.payment(paid.id)).toMatchObject({
      status: 'authorized',
      unknown: [],
      captures: [{ captureId: 'cap_a8', status: 'failed' }],
    });
    await capture(paid, 'cap_b8', 2_000);
    expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 2_000 });
  });

  test('is recorded, booked and added to the captured amount if the provider shows it nevertheless', async () => {
    const paid = await authorizedOrder();
    provider.failNext('capture', 'refused');
    await capture(paid, 'cap_a12', 500);
    provider.intentOf(paid.id).captures.push({ ...theirs(500), reference: 'cap_a12' });
    await clear(paid, 'captured');
    expect(await bench.payment(paid.id)).toMatchObject({
      status: 'captured',
      mismatches: [],
      captures: [{ captureId: 'cap_a12', status: 'captured' }],
    });
    expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 500 });
    expect(await bookedFor(paid)).toEqual([
      { object: expect.any(String), capture: 'cap_a12', amount: 500 },
    ]);
  });

  test('a capture whose amount exceeds the uncaptured rest is not sent again with a smaller amount', async () => {
    const paid = await authorizedOrder();
    provider.intentOf(paid.id).captures.push(theirs(500));
    await capture(paid, 'cap_a9', 2_000);
    expect(await bench.payment(paid.id)).toMatchObject({
      mismatches: [],
      captures: [
        { captureId: 'cap_a9', amountMinor: 2_000, status: 'failed' },
        { captureId: 'cpt_theirs', amountMinor: 500 },
      ],
    });
    await capture(paid, 'cap_b9', null);
    expect(provider.intentOf(paid.id).captures).toMatchObject([
      { amountMinor: 500 },
      { reference: 'cap_b9', amountMinor: 1_500 },
    ]);
  });

  test('does not fail while an earlier attempt may still arrive', async () => {
    const paid = await authorizedOrder();
    await ask(paid, 'cap_a11', 500);
    await command(paid, { type: 'NoteUnknownOutcome', call: 'capture', at: bench.clock.now() });
    provider.failNext('capture', 'refused');
    await runAll();
    expect(await bench.payment(paid.id)).toMatchObject({
      captures: [{ captureId: 'cap_a11', status: 'requested' }],
    });
    await expect(ask(paid, 'cap_b11', 500)).rejects.toMatchObject({ code: 'capture_in_progress' });
    await bench.admin.query(`DELETE FROM jobs WHERE subject_id = $1`, [paid.id]);
  });

  test('needs an operator if its amount is the whole authorized amount', async () => {
    const paid = await authorizedOrder();
    provider.failNext('capture', 'refused');
    await capture(paid, 'cap_a10', 2_000);
    expect(await bench.payment(paid.id)).toMatchObject({ captures: [{ status: 'requested' }] });
    await bench.admin.query(`DELETE FROM jobs WHERE subject_id = $1`, [paid.id]);
  });
});

/** A capture in the form in which a list of payments or a payout's line shows it. */
const listed = (paid: Paid, capture: CaptureFacts): ListedPayment => ({
  attemptId: 'try_7',
  status: 'captured',
  response: '00',
  method: 'card',
  mandateId: null,
  createdAt: bench.clock.now(),
  authorizedUntil: plusMs(bench.clock.now(), 7 * DAY_MS),
  reference: paid.id,
  intentId: paid.intentId,
  amountMinor: capture.amountMinor,
  currency: 'eur',
  feeMinor: 0,
  capture,
  reached: 'captured',
});

const ingest = async (paid: Paid, fact: PaymentFact): Promise<void> => {
  const { store, clock } = bench;
  await new PaymentIngest(store, clock, quiet).ingest(
    { accountId: ACCOUNT, capabilities: provider.capabilities },
    [{ reference: { paymentId: paid.id, intentId: paid.intentId }, fact }],
    'lines pout_1',
  );
};

test('a refund in the provider’s list does not cause the recording of a capture that the provider has not shown', async () => {
  const paid = await authorizedOrder();
  const refund: ListedRefund = {
    refundId: 'ref_8',
    attemptId: 'try_8',
    amountMinor: 100,
    currency: 'eur',
    status: 'to_refund',
    createdAt: bench.clock.now(),
    reached: 'capture_sent',
  };
  await ingest(paid, { of: 'refund', shown: refund });
  expect(await bench.payment(paid.id)).toMatchObject({ status: 'authorized', captures: [] });
});

test.each(['refund', 'dispute'] as const)(
  'a %s in the provider’s list whose capture is not recorded causes a read of the payment',
  async (of) => {
    const paid = await authorizedOrder();
    const fact = {
      attemptId: 'try_9',
      amountMinor: 700,
      currency: 'eur',
      createdAt: bench.clock.now(),
    };
    const refund = { ...fact, refundId: `ref_${paid.id}`, status: 'refunded' } as const;
    const dispute = {
      ...fact,
      disputeId: `dspt_${paid.id}`,
      kind: 'chargeback',
      feeMinor: 0,
      reasonCode: '4837',
      status: 'open',
      isReversal: false,
    } as const;
    await ingest(
      paid,
      of === 'refund' ? { of, shown: { ...refund, reached: 'captured' } } : { of, shown: dispute },
    );
    expect(
      await bench.rows(
        'SELECT due_at AS "dueAt" FROM jobs WHERE kind = $1 AND key = $2',
        PAYMENT_READ_DEADLINE,
        paid.id,
      ),
    ).toEqual([{ dueAt: new Date(bench.clock.now()) }]);
    const intent = provider.intentOf(paid.id);
    intent.captures.push({
      reference: null,
      captureId: `cpt_${paid.id}`,
      amountMinor: 700,
      status: 'captured',
    });
    intent.refunds.push(refund);
    const { store, clock, clientOf } = bench;
    const reads = newRunner();
    reads.register(new PaymentPoller(store, clock, quiet, clientOf));
    await runAll(reads);
    expect(await bench.payment(paid.id)).toMatchObject({
      mismatches: [],
      captures: [{ captureId: `cpt_${paid.id}`, status: 'captured' }],
      refunds: [{ amountMinor: 700 }],
    });
  },
);

test('a payout line that shows a canceled payment as captured is recorded as a mismatch', async () => {
  const paid = await authorizedOrder();
  await command(paid, { type: 'RequestCancel', reason: 'cancellation', at: bench.clock.now() });
  await runAll();
  expect(await bench.payment(paid.id)).toMatchObject({ status: 'canceled', mismatches: [] });
  const capture: CaptureFacts = {
    reference: null,
    captureId: 'cpt_late',
    amountMinor: 2_000,
    status: 'captured',
  };
  await ingest(paid, { of: 'payment', shown: listed(paid, capture) });
  expect(await bench.payment(paid.id)).toMatchObject({
    status: 'canceled',
    mismatches: ['status:canceled:captured'],
  });
});

test('a payout line of one capture changes the status of that capture only', async () => {
  const paid = await authorizedOrder();
  await capture(paid, 'cap_a7', 500);
  await capture(paid, 'cap_b7', 700);
  const [first] = provider.intentOf(paid.id).captures;
  if (first === undefined) throw new Error('the payment has captures');
  await ingest(paid, { of: 'payment', shown: listed(paid, { ...first, status: 'captured' }) });
  expect(await bench.payment(paid.id)).toMatchObject({
    status: 'captured',
    releasedMinor: null,
    mismatches: [],
    captures: [{ captureId: 'cap_a7', status: 'captured' }, { status: 'accepted' }],
  });
});

describe('the uncaptured rest of an authorization', () => {
  test('is released when the final capture is sent', async () => {
    const paid = await authorizedOrder();
    await capture(paid, 'cap_a5', 500);
    await capture(paid, 'cap_b5', 700, true);
    expect((await bench.story(paid.id)).slice(-2)).toEqual([
      'CaptureAccepted',
      'AuthorizationClosed',
    ]);
    expect(await bench.payment(paid.id)).toMatchObject({ releasedMinor: 800 });
    await expect(ask(paid, 'cap_c5', 100)).rejects.toMatchObject({
      code: 'capture_exceeds_authorized',
    });
  });

  test('expires with the authorization, and a capture requested after the expiry is not sent', async () => {
    const paid = await authorizedOrder();
    await capture(paid, 'cap_a6', 500);
    expect(capturableMinor(await bench.payment(paid.id))).toBe(1_500);
    provider.lapse(paid.intentId);
    await capture(paid, 'cap_b6', null);
    const payment = await bench.payment(paid.id);
    expect(payment).toMatchObject({
      releasedMinor: 1_500,
      unknown: [],
      captures: [{ status: 'accepted' }, { status: 'failed' }],
    });
    expect(exists(payment) && openCapture(payment.captures)).toBeNull();
    expect(provider.intentOf(paid.id).captures).toHaveLength(1);
    expect(await orderOf(paid)).toMatchObject({ status: 'paid', paidMinor: 500 });
  });
});
