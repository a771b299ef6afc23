import { type Instant, msOf, parseInstant, randomText, SECOND_MS } from '#kernel';
import { wirePayment } from './payout-provider.fixture.js';
import { lendBenchDatabases } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
  await payouts.untilIdle();
});
afterEach(() => payouts.close());

const NEXT_EVENING = parseInstant('2030-03-01T22:15:00Z');
const NEXT_MORNING = parseInstant('2030-03-02T06:15:00Z');

const seconds = (at: Instant): number => Math.floor(msOf(at) / SECOND_MS);

const until = async (at: Instant): Promise<void> => {
  payouts.bench.clock.advance(msOf(at) - msOf(payouts.at()));
  await payouts.untilIdle();
};

const countOf = async (type: string): Promise<number> => {
  const [row] = await payouts.bench.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM events WHERE type = $1',
    type,
  );
  return row?.count ?? 0;
};

/** A payment of ours as the provider lists it. */
const listed = (payment: Parameters<typeof wirePayment>[0], status: string) => {
  const wire = { ...wirePayment(payment, status, null), created: seconds(payouts.at()) };
  payouts.provider.listed.unshift(wire);
  return wire;
};

const refundOf = (payment: Readonly<Record<string, unknown>>, amount: number, at: Instant) => {
  payouts.provider.refunds.unshift({
    id: `refd_${randomText(24)}`,
    amount,
    currency: 'eur',
    payment: payment['id'],
    created: seconds(at),
    status: 'to_refund',
    payout: null,
  });
};

const disputeOf = (payment: Readonly<Record<string, unknown>>, at: Instant) => {
  payouts.provider.disputes.unshift({
    id: `dspt_${randomText(24)}`,
    amount: 1_999,
    currency: 'eur',
    payment: payment['id'],
    created: seconds(at),
    response: '4837',
    fee: 1_500,
    type: 'chargeback',
    status: 'open',
    payout: null,
    order_id: null,
  });
};

test('after the cut-off, the poller of the provider’s lists reads the list of payments with one call per page, and records the captures that were sent to clearing', async () => {
  for (const payment of await payouts.accepted(120)) listed(payment, 'capture_sent');
  const asked = payouts.provider.calls.length;
  await until(NEXT_EVENING);
  expect(await countOf('CaptureSent')).toBe(120);
  const calls = payouts.provider.calls.slice(asked);
  expect(calls.filter((url) => url.startsWith('/v2/payments?'))).toHaveLength(2);
  expect(calls.filter((url) => url.startsWith('/v2/payment_intents'))).toEqual([]);
});

test('the poller of the provider’s lists finds a refund that a merchant makes at the provider on a day without a payout', async () => {
  const [payment] = await payouts.captured(1);
  if (payment === undefined) throw new Error('a payment was created');
  refundOf(listed(payment, 'captured'), 500, payouts.at());
  await until(NEXT_MORNING);
  expect(payouts.provider.payouts).toEqual([]);
  const events = await payouts.bench.rows(
    `SELECT data ->> 'requestId' AS "requestId", data ->> 'amountMinor' AS amount FROM events
      WHERE type = 'RefundObserved'`,
  );
  expect(events).toEqual([{ requestId: null, amount: '500' }]);
  // Later reads show the same payment again and record nothing.
  await until(parseInstant('2030-03-03T06:15:00Z'));
  expect(await countOf('RefundObserved')).toBe(1);
});

test('the poller of the provider’s lists does not read lists of objects that webhooks already report', async () => {
  const reporting = await PayoutsBench.open({
    can: { sends: ['intent', 'refund', 'dispute'] },
    databases,
  });
  await reporting.untilIdle();
  reporting.bench.clock.advance(msOf(NEXT_MORNING) - msOf(reporting.at()));
  await reporting.untilIdle();
  expect(reporting.provider.count(/^\/v2\/(?:refunds|disputes)/)).toBe(0);
  expect(reporting.provider.count(/^\/v2\/payments\?/)).toBeGreaterThan(0);
  expect(await reporting.accountJobs.unreadAccounts(reporting.at(), 1_000)).toBe(0);
  await reporting.close();
});

test('a refund in the provider’s list whose capture is not recorded causes the capture to be recorded as sent, not as captured', async () => {
  const [payment] = await payouts.accepted(1);
  if (payment === undefined) throw new Error('a payment was created');
  refundOf(listed(payment, 'capture_sent'), 500, payouts.at());
  await until(parseInstant('2030-03-01T18:15:00Z'));
  expect(await payouts.bench.payment(payment.paymentId ?? '')).toMatchObject({
    status: 'capture_sent',
    refunds: [{ status: 'to_refund' }],
  });
});

test('the poller of the provider’s lists ignores a payment with our payment’s reference but a different intent', async () => {
  const [payment] = await payouts.accepted(1);
  if (payment === undefined) throw new Error('a payment was created');
  listed({ ...payment, intentId: `pi_${randomText(24)}` }, 'captured');
  await until(NEXT_EVENING);
  expect(await payouts.bench.payment(payment.paymentId ?? '')).toMatchObject({
    status: 'to_capture',
    mismatches: [],
  });
});

test('the poller of the provider’s lists finds the payment of a dispute even if the merchant has changed the payment’s order_id', async () => {
  const [payment] = await payouts.captured(1);
  if (payment === undefined) throw new Error('a payment was created');
  const { paymentId } = payment;
  const wire = { ...listed(payment, 'captured'), order_id: 'invoice-7', unique_id: paymentId };
  payouts.provider.listed.splice(0, 1, wire);
  disputeOf(wire, payouts.at());
  await until(NEXT_MORNING);
  expect(await countOf('DisputeObserved')).toBe(1);
});

test('the poller of the provider’s lists ignores refunds and disputes of a payment with a different intent', async () => {
  const [payment] = await payouts.accepted(1);
  if (payment === undefined) throw new Error('a payment was created');
  const other = listed({ ...payment, intentId: `pi_${randomText(24)}` }, 'captured');
  refundOf(other, 500, payouts.at());
  disputeOf(other, payouts.at());
  await until(NEXT_MORNING);
  expect(await payouts.bench.payment(payment.paymentId ?? '')).toMatchObject({
    status: 'to_capture',
    refunds: [],
    disputes: [],
  });
});

test('the poller of the provider’s lists reads a payment only once for several refunds of a page, even with the smallest call budget', async () => {
  const tight = await PayoutsBench.open({ callsPerMinute: 600, databases });
  for (let n = 0; n < 60; n += 1) {
    const foreign = { paymentId: null, intentId: 'pi_x', amountMinor: 1 };
    const wire = wirePayment(foreign, 'captured', null);
    tight.provider.listed.push({ ...wire, created: 1 });
    tight.provider.refunds.push({
      id: `refd_${randomText(24)}`,
      amount: 1,
      currency: 'eur',
      payment: wire['id'],
      created: seconds(tight.at()),
      status: 'to_refund',
      payout: null,
    });
  }
  await tight.untilIdle();
  expect(tight.provider.count(/^\/v2\/payments\/paym_/)).toBe(60);
  await tight.close();
});

test('the poller of the provider’s lists records a dispute as soon as the provider shows the disputed payment', async () => {
  const [payment] = await payouts.captured(1);
  if (payment === undefined) throw new Error('a payment was created');
  const wire = listed(payment, 'captured');
  payouts.provider.listed.length = 0;
  disputeOf(wire, payouts.at());
  await until(parseInstant('2030-03-01T18:15:00Z'));
  expect(await countOf('DisputeObserved')).toBe(0);
  payouts.provider.listed.push(wire);
  await until(NEXT_MORNING);
  expect(await countOf('DisputeObserved')).toBe(1);
});

test('when the payment of one listed dispute cannot be read from the provider, the poller of the provider’s lists still records the other disputes', async () => {
  const [payment] = await payouts.captured(1);
  if (payment === undefined) throw new Error('a payment was created');
  disputeOf(listed(payment, 'captured'), payouts.at());
  disputeOf({ id: `paym_${randomText(24)}` }, payouts.at());
  await until(NEXT_MORNING);
  expect(await countOf('DisputeObserved')).toBe(1);
});
