import pg from 'pg';
import { plusMs } from '#kernel';
import { nextCutOff } from '../../money/bank-days.js';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import {
  all,
  booksOf,
  capturedPayment,
  cardLike,
  clearToday,
  eventTypesOf,
  idOf,
  moveTo,
  moveToNoon,
  nowOf,
  pay,
  paymentOf,
  refund,
  type ApiObject,
} from '../../testing/money.js';
import { Disputes } from '../disputes/disputes.service.js';
import { Payments } from '../payments/payments.service.js';
import { Payouts } from '../payouts/payouts.service.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const of = async (payment: string, what: 'refunds' | 'disputes'): Promise<ApiObject[]> =>
  (await sandbox.call('GET', `/v2/payments/${payment}/${what}`)).body as unknown as ApiObject[];

test('of eight concurrent refunds, each of a third of a payment, three are accepted', async () => {
  const payment = await capturedPayment(sandbox, { amount: 900 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => refund(sandbox, payment, 300)));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    200, 200, 200, 409, 409, 409, 409, 409,
  ]);
});

test('of two concurrent refunds of the remaining amount, one is accepted', async () => {
  const payment = await capturedPayment(sandbox);
  const answers = await Promise.all([
    refund(sandbox, payment),
    sandbox.call('POST', `/v2/payments/${payment}/refund`),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a refund requested concurrently with a dispute is rejected, or is canceled before it is sent', async () => {
  const disputes = sandbox.http.app.get(Disputes, { strict: false });
  for (let round = 0; round < 6; round += 1) {
    const payment = await capturedPayment(sandbox);
    const open = () => disputes.open(HOUSE_TEST, payment, '45');
    const first = round % 2 === 0 ? refund(sandbox, payment) : null;
    const opened = open();
    const answer = await (first ?? refund(sandbox, payment));
    await opened;
    const statuses = (await of(payment, 'refunds')).map(({ status }) => status);
    expect([answer.status, statuses]).toEqual(
      statuses.length === 0 ? [409, []] : [200, ['failed']],
    );
    expect(await of(payment, 'disputes')).toHaveLength(1);
  }
});

test('four concurrent requests to dispute a payment open one dispute, with one chargeback', async () => {
  const disputes = sandbox.http.app.get(Disputes, { strict: false });
  const payment = await capturedPayment(sandbox);
  const tries = await Promise.allSettled(
    Array.from({ length: 4 }, () => disputes.open(HOUSE_TEST, payment, '45')),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await of(payment, 'disputes')).toHaveLength(1);
});

test('when a manual capture is concurrent with a cancellation or the cut-off, only one of the two takes effect', async () => {
  const payments = sandbox.http.app.get(Payments, { strict: false });
  for (let round = 0; round < 4; round += 1) {
    const id = idOf(await pay(sandbox, { capture: false }));
    await Promise.allSettled([
      payments.captureManually(HOUSE_TEST, id),
      payments.cancel(HOUSE_TEST, id),
    ]);
    expect(await paymentOf(sandbox, id)).toMatchObject({ status: 'canceled' });
  }
  const ids = await Promise.all([1, 2, 3, 4].map(async () => idOf(await pay(sandbox))));
  await moveTo(sandbox, plusMs(nextCutOff(await nowOf(sandbox)), -2_000));
  const move = sandbox.call('POST', '/sandbox/clock', { advance: 'PT10S' });
  const tries = await Promise.allSettled(ids.map((id) => payments.cancel(HOUSE_TEST, id)));
  await move;
  for (const [index, id] of ids.entries()) {
    const status = tries[index]?.status === 'fulfilled' ? 'canceled' : 'capture_sent';
    expect(await paymentOf(sandbox, id)).toMatchObject({ status });
  }
});

test('when two concurrent requests mark a payout as failed, the payout fails once and its lines are paid out once', async () => {
  const payouts = sandbox.http.app.get(Payouts, { strict: false });
  const payment = await capturedPayment(sandbox, { currency: 'usd' });
  const id = String((await paymentOf(sandbox, payment))['payout']);
  const tries = await Promise.allSettled([
    payouts.fail(HOUSE_TEST, id),
    payouts.fail(HOUSE_TEST, id),
  ]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P6D' });
  const made = (await all(sandbox, '/v2/payouts', 'payouts')).filter(
    ({ currency }) => currency === 'usd',
  );
  expect(made.map(({ status }) => status)).toEqual(['paid', 'failed']);
});

/** The results of a day with all kinds of operations, without ids and times. */
const outcome = async (currency: string): Promise<unknown> => {
  const ofCurrency = async (plural: string) =>
    (await all(sandbox, `/v2/${plural}`, plural)).filter((each) => each['currency'] === currency);
  const summary = (each: ApiObject) => [each['amount'], each['status'], each['payout'] !== null];
  const payouts = (await ofCurrency('payouts')).map(({ amount, status, fees, fees_vat: vat }) => [
    amount,
    status,
    fees,
    vat,
  ]);
  const book = (await booksOf(sandbox)).find((each) => each.currency === currency);
  return {
    payouts,
    accounts: book?.accounts,
    payments: (await ofCurrency('payments')).map(summary).sort(),
    refunds: (await ofCurrency('refunds')).map(summary).sort(),
    disputes: (await ofCurrency('disputes')).map(summary).sort(),
  };
};

const aBusyDay = async (currency: string): Promise<void> => {
  const disputed = cardLike('Accepted then disputed');
  const first = await capturedPayment(sandbox, { currency, amount: 20_000 });
  await refund(sandbox, first, 4_000);
  for (const amount of [900, 5_000]) await pay(sandbox, { currency, amount, card: disputed });
  await pay(sandbox, { currency, amount: 70_000 });
};

test('one large move of the clock, or a restart after a downtime, has the same result as several small moves', async () => {
  await aBusyDay('gbp');
  for (let hour = 0; hour < 9 * 24; hour += 3) {
    await sandbox.call('POST', '/sandbox/clock', { advance: 'PT3H' });
  }
  const bySteps = await outcome('gbp');
  await moveToNoon(sandbox, 1);
  await aBusyDay('chf');
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P9D' });
  expect(await outcome('chf')).toEqual(bySteps);
  await moveToNoon(sandbox, 1);
  await aBusyDay('sek');
  await overslept(9);
  expect(await outcome('sek')).toEqual(bySteps);
});

/** Simulates a downtime of several days, after which the work of all these days is due. */
const overslept = async (days: number): Promise<void> => {
  await sandbox.restart(() => shiftClock(days));
  // A move of the clock executes the work that is already due before the clock moves.
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT1S' });
};

const shiftClock = async (days: number): Promise<void> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  await client.query(`UPDATE sandbox_clock SET sandbox_at = sandbox_at + $1 * interval '1 day'`, [
    days,
  ]);
  await client.end();
};

test('each day is cleared only once when two processes run on one database', async () => {
  const other = await sandbox.startAnother();
  const ids = await Promise.all(
    Array.from({ length: 12 }, async () => idOf(await pay(sandbox, { currency: 'pln' }))),
  );
  const dueAt = nextCutOff(await nowOf(sandbox));
  await moveTo(sandbox, plusMs(dueAt, -3_000));
  await Promise.all([
    sandbox.call('POST', '/sandbox/clock', { advance: 'PT9H' }),
    fetch(`${other.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: 'PT9H' }),
    }),
  ]);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT10H' });
  await other.close();
  const payouts = (await all(sandbox, '/v2/payouts', 'payouts')).filter(
    ({ currency }) => currency === 'pln',
  );
  expect(
    payouts.reduce((sum, { payments }) => sum + Number((payments as ApiObject)['amount']), 0),
  ).toBe(120_000);
  for (const id of ids) expect(await paymentOf(sandbox, id)).toMatchObject({ status: 'captured' });
  expect(await eventTypesOf(sandbox, ...ids)).toHaveLength(48);
});

test('the books sum to 0 after all tests', async () => {
  await clearToday(sandbox);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P7D' });
  const books = await booksOf(sandbox);
  expect(books.map(({ sum }) => sum)).toEqual(books.map(() => 0));
  const unsettled = await all(sandbox, `/v2/payments?created=0`, 'payments');
  expect(unsettled.filter(({ status }) => status === 'capture_sent')).toEqual([]);
});
