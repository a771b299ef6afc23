import { DAY_MS, plusMs } from '#kernel';
import { nextCutOff } from '../../money/bank-days.js';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
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
import { TEST_IBANS } from '../banks/test-values.js';
import { Disputes } from '../disputes/disputes.service.js';
import { Payouts } from './payouts.service.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

/**
 * Returns the payouts, newest first. Each test uses its own currency, so that the balances of
 * earlier tests do not affect it.
 */
const payouts = async (currency: string): Promise<ApiObject[]> =>
  (await all(sandbox, '/v2/payouts', 'payouts')).filter(
    (payout) => payout['currency'] === currency,
  );
const bookOf = async (currency: string) =>
  (await booksOf(sandbox)).find((book) => book.currency === currency);
const nothing = { amount: 0, count: 0, fees: 0 };

test('a payout is pending after the capture, to_pay on the same day, sent and paid on the next bank days', async () => {
  const monday = await moveToNoon(sandbox, 1);
  const payment = idOf(await pay(sandbox, { currency: 'gbp', amount: 10_000 }));
  const tuesday = plusMs(monday, DAY_MS);
  await moveTo(sandbox, plusMs(tuesday, -5_000));
  expect(await payouts('gbp')).toEqual([]);
  const seen: [string, unknown, unknown][] = [];
  for (const at of [
    tuesday,
    nextCutOff(tuesday),
    plusMs(tuesday, DAY_MS),
    plusMs(tuesday, 2 * DAY_MS),
  ]) {
    await moveTo(sandbox, at);
    const [payout] = await payouts('gbp');
    seen.push([at.slice(11, 16), payout?.['status'], payout?.['date_bank']]);
  }
  const thursday = plusMs(tuesday, 2 * DAY_MS).slice(0, 10);
  expect(seen).toEqual([
    ['06:00', 'pending', null],
    ['22:00', 'to_pay', null],
    ['06:00', 'sent', null],
    ['06:00', 'paid', thursday],
  ]);
  const [payout] = await payouts('gbp');
  expect(payout).toEqual({
    id: expect.stringMatching(/^pout_[a-zA-Z0-9]{24}$/) as unknown,
    status: 'paid',
    reference: `${tuesday.slice(0, 10).replaceAll('-', '')}-GBP-TEST-house`,
    currency: 'gbp',
    amount: 10_000 - 77 - 15,
    fees: 77,
    fees_vat: 15,
    date: tuesday.slice(0, 10),
    date_bank: thursday,
    payments: {
      amount: 10_000,
      method: { card: { amount: 10_000, count: 1, fees: 77 }, sepa: nothing },
    },
    refunds: { amount: 0, method: { card: nothing, sepa: nothing } },
    disputes: { amount: 0, method: { card: nothing, sepa: nothing } },
  });
  expect(await paymentOf(sandbox, payment)).toMatchObject({
    fee: 77,
    payout: idOf(payout ?? {}),
    date_bank: tuesday.slice(0, 10),
  });
  expect(await eventTypesOf(sandbox, idOf(payout ?? {}))).toEqual([]);
});

test('payouts made from Friday to Sunday are sent on Monday and paid on Tuesday', async () => {
  const thursday = await moveToNoon(sandbox, 4);
  for (let day = 0; day < 3; day += 1) {
    await pay(sandbox, { currency: 'chf', amount: 1_000 + day });
    await clearToday(sandbox);
  }
  const friday = plusMs(thursday, DAY_MS);
  const days = [friday, plusMs(friday, DAY_MS), plusMs(friday, 2 * DAY_MS)];
  const made = await payouts('chf');
  expect(made.map(({ date }) => date).reverse()).toEqual(days.map((day) => day.slice(0, 10)));
  const statuses = async () => (await payouts('chf')).map(({ status }) => status);
  await moveTo(sandbox, plusMs(friday, 3 * DAY_MS - 10_000));
  expect(await statuses()).toEqual(['to_pay', 'to_pay', 'to_pay']);
  await moveTo(sandbox, plusMs(friday, 3 * DAY_MS));
  expect(await statuses()).toEqual(['sent', 'sent', 'sent']);
  await moveTo(sandbox, plusMs(friday, 4 * DAY_MS));
  const tuesday = plusMs(friday, 4 * DAY_MS).slice(0, 10);
  expect((await payouts('chf')).map(({ status, date_bank: on }) => [status, on])).toEqual([
    ['paid', tuesday],
    ['paid', tuesday],
    ['paid', tuesday],
  ]);
});

test('card payments, debits, refunds and disputes share one payout per currency and day', async () => {
  await moveToNoon(sandbox, 1);
  const iban = TEST_IBANS[0]?.value;
  const sepa = { name: 'A. Payer', iban, mandate: 'RUM-1', date_mandate: '2026-01-31' };
  const refunded = await capturedPayment(sandbox, { amount: 20_000 });
  // This payment settles together with the captures of the next day.
  await pay(sandbox, { card: null, sepa, amount: 30_000 });
  await refund(sandbox, refunded, 500);
  const disputed = cardLike('Accepted then disputed');
  await pay(sandbox, { card: disputed, amount: 2_000 });
  await clearToday(sandbox);
  const late = await pay(sandbox, { amount: 40_000 });
  await pay(sandbox, { currency: 'usd', amount: 700 });
  await clearToday(sandbox);
  const [payout] = await payouts('eur');
  const fees = 287 + 7 + 1_500;
  expect(payout).toMatchObject({
    payments: {
      amount: 70_000,
      method: {
        card: { amount: 40_000, count: 1, fees: 287 },
        sepa: { amount: 30_000, count: 1, fees: 7 },
      },
    },
    disputes: { amount: 2_000, method: { card: { amount: 2_000, count: 1, fees: 1_500 } } },
    fees,
    fees_vat: 359,
    amount: 70_000 - 2_000 - fees - 359,
  });
  expect(await payouts('usd')).toMatchObject([
    { payments: { amount: 700 }, fees: 12, fees_vat: 2, amount: 700 - 14, date: payout?.['date'] },
  ]);
  const lines = await all(sandbox, `/v2/payouts/${idOf(payout ?? {})}/payments`, 'payments');
  expect(lines.map(({ amount }) => amount).sort()).toEqual([30_000, 40_000]);
  const filtered = await all(sandbox, `/v2/payments?payout=${idOf(payout ?? {})}`, 'payments');
  expect(filtered).toEqual(lines);
  const withLatePayment = await all(sandbox, `/v2/payouts?payment=${idOf(late)}`, 'payouts');
  expect(withLatePayment).toEqual([payout]);
  const ofRefunded = await all(sandbox, `/v2/payouts?payment=${refunded}`, 'payouts');
  expect(ofRefunded).toHaveLength(2);
  const [withRefund] = ofRefunded;
  expect(withRefund).toMatchObject({ refunds: { amount: 500 } });
  const refunds = await all(sandbox, `/v2/payouts/${idOf(withRefund ?? {})}/refunds`, 'refunds');
  expect(refunds).toMatchObject([{ amount: 500, status: 'refunded', payment: refunded }]);
});

test('the lines of a day are carried over to the next day when their sum is not positive', async () => {
  await moveToNoon(sandbox, 1);
  const payment = await capturedPayment(sandbox, { currency: 'cad', amount: 6_000 });
  await refund(sandbox, payment);
  await clearToday(sandbox);
  expect(await payouts('cad')).toHaveLength(1);
  // The dispute fee of 1500 plus VAT is more than the payment, so no payout is made on this day
  // either.
  await pay(sandbox, { currency: 'cad', amount: 6_000 });
  await clearToday(sandbox);
  expect(await payouts('cad')).toHaveLength(1);
  await clearToday(sandbox);
  await pay(sandbox, { currency: 'cad', amount: 1_000 });
  await clearToday(sandbox);
  const [last] = await payouts('cad');
  const fees = 49 + 14;
  expect(last).toMatchObject({
    payments: { amount: 7_000 },
    refunds: { amount: 6_000 },
    fees,
    fees_vat: 13,
    amount: 1_000 - fees - 13,
  });
  expect(await payouts('cad')).toHaveLength(2);
  expect(await bookOf('cad')).toMatchObject({ sum: 0 });
});

test('the lines of a failed payout move to the next payout', async () => {
  const service = sandbox.http.app.get(Payouts, { strict: false });
  await moveToNoon(sandbox, 1);
  const payment = await capturedPayment(sandbox, { currency: 'nok', amount: 5_000 });
  const [first] = await payouts('nok');
  const failed = await service.fail(HOUSE_TEST, idOf(first ?? {}));
  expect(failed).toMatchObject({ status: 'failed', amount: 5_000 - 42 - 8 });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT1S' });
  expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'captured', payout: null });
  expect(await all(sandbox, `/v2/payouts/${failed.id}/payments`, 'payments')).toEqual([]);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P1D' });
  const [second] = await payouts('nok');
  expect(second).toMatchObject({ status: 'pending', amount: 5_000 - 42 - 8 });
  expect(await paymentOf(sandbox, payment)).toMatchObject({ payout: idOf(second ?? {}) });
  await expect(service.fail(HOUSE_TEST, failed.id)).rejects.toMatchObject({ status: 409 });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P5D' });
  await expect(service.fail(HOUSE_TEST, idOf(second ?? {}))).rejects.toMatchObject({ status: 409 });
  expect((await payouts('nok')).map(({ status }) => status)).toEqual(['paid', 'failed']);
});

test('a payout that fails after it was sent is reversed in the books, and its lines are paid out once', async () => {
  const service = sandbox.http.app.get(Payouts, { strict: false });
  await moveToNoon(sandbox, 1);
  await capturedPayment(sandbox, { currency: 'pln', amount: 5_000 });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P1D' });
  const [sent] = await payouts('pln');
  expect(sent).toMatchObject({ status: 'sent' });
  await service.fail(HOUSE_TEST, idOf(sent ?? {}));
  expect(await bookOf('pln')).toMatchObject({ accounts: { payouts: 0, merchant: 4_958 } });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P6D' });
  expect(await bookOf('pln')).toEqual({
    account_id: 'acct_house',
    mode: 'test',
    currency: 'pln',
    sum: 0,
    accounts: { payer: -5_000, merchant: 0, fees: 42, vat: 8, disputes: 0, payouts: 4_950 },
  });
});

test('test payouts are not visible with a live key, and payouts cannot be changed by the API', async () => {
  await moveToNoon(sandbox, 1);
  await capturedPayment(sandbox, { currency: 'sek' });
  const [payout] = await payouts('sek');
  const path = `/v2/payouts/${idOf(payout ?? {})}`;
  const live = await sandbox.call('GET', '/v2/payouts', undefined, LIVE_KEY);
  expect(live.body).toMatchObject({ payouts: [] });
  for (const part of ['', '/payments', '/refunds', '/disputes']) {
    expect((await sandbox.call('GET', path + part, undefined, LIVE_KEY)).status).toBe(404);
  }
  expect((await sandbox.call('POST', '/v2/payouts', {})).status).toBe(405);
  expect((await sandbox.call('GET', '/v2/payouts/pout_x')).status).toBe(422);
  const created = Math.floor(Date.parse(await nowOf(sandbox)) / 1_000) + 60;
  const none = await sandbox.call('GET', `/v2/payouts?created=${created}`);
  expect(none.body).toMatchObject({ payouts: [] });
});

test('the books are readable without a key and sum to 0 for each account', async () => {
  const disputes = sandbox.http.app.get(Disputes, { strict: false });
  expect(await bookOf('dkk')).toBeUndefined();
  await moveToNoon(sandbox, 1);
  const one = await capturedPayment(sandbox, { currency: 'dkk', amount: 100_000 });
  await refund(sandbox, one, 30_000);
  await clearToday(sandbox);
  await disputes.open(HOUSE_TEST, one, '45');
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P5D' });
  const answer = await fetch(`${sandbox.url}/sandbox/books`);
  const { books } = (await answer.json()) as { books: { currency: string }[] };
  // The payment is refunded and disputed: the balance is negative and waits for further payments.
  expect(books.find(({ currency }) => currency === 'dkk')).toEqual({
    account_id: 'acct_house',
    mode: 'test',
    currency: 'dkk',
    sum: 0,
    accounts: {
      payer: -70_000,
      disputes: 70_000,
      fees: 707 + 1_500,
      vat: 141,
      payouts: 99_152,
      merchant: 70_000 - 70_000 - 2_207 - 141 - 99_152,
    },
  });
});
