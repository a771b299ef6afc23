import { nextCutOff } from '../../money/bank-days.js';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import {
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
import { Refunds } from './refunds.service.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const refundsOf = async (payment: string): Promise<ApiObject[]> =>
  (await sandbox.call('GET', `/v2/payments/${payment}/refunds`)).body as unknown as ApiObject[];
const UNKNOWN = 'a'.repeat(24);

test('a payment cannot be refunded before its capture was sent', async () => {
  const held = idOf(await pay(sandbox, { capture: false }));
  expect(await refund(sandbox, held)).toMatchObject({
    status: 409,
    body: { error: 'Payment is authorized: cancel it in the User Area instead of refunding it' },
  });
  const card = await cardId();
  const intent = { amount: 900, capture: false, threeds: 'none' };
  const { id } = (await sandbox.call('POST', '/v2/payment_intents', intent)).body;
  await sandbox.call('PATCH', `/v2/payment_intents/${String(id)}`, { card });
  expect(await sandbox.call('POST', `/v2/payment_intents/${String(id)}/refund`)).toMatchObject({
    status: 409,
    body: { error: 'Payment is authorized: cancel its payment intent instead of refunding it' },
  });
  const toCapture = idOf(await pay(sandbox));
  expect(await refund(sandbox, toCapture)).toMatchObject({
    status: 409,
    body: { error: 'Payment is to_capture: cancel it in the User Area instead of refunding it' },
  });
  const over = idOf(await pay(sandbox, { card: cardLike('Do not honor') }));
  expect(await refund(sandbox, over)).toMatchObject({
    status: 409,
    body: { error: 'Payment is refused: there is nothing to refund' },
  });
  expect(await refundsOf(held)).toEqual([]);
});

test('a refund requested while the payment is capture_sent waits for the capture, then for the next cut-off', async () => {
  const payment = idOf(await pay(sandbox));
  await moveTo(sandbox, nextCutOff(await nowOf(sandbox)));
  const made = await refund(sandbox, payment, 2_500);
  expect(made).toMatchObject({
    status: 200,
    body: { amount: 2_500, currency: 'eur', payment, status: 'to_refund', payout: null },
  });
  const statusOf = async () =>
    (await sandbox.call('GET', `/v2/refunds/${idOf(made.body)}`)).body['status'];
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT9H' });
  expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'captured' });
  expect(await statusOf()).toBe('to_refund');
  await moveTo(sandbox, nextCutOff(await nowOf(sandbox)));
  expect(await statusOf()).toBe('refund_sent');
  await clearToday(sandbox);
  expect(await statusOf()).toBe('refunded');
});

test('a refund without an amount refunds the remaining amount, and no refund exceeds the payment', async () => {
  const payment = await capturedPayment(sandbox, { amount: 9_000 });
  expect((await refund(sandbox, payment, 9_001)).status).toBe(409);
  expect((await refund(sandbox, payment, 4_000)).status).toBe(200);
  expect(await refund(sandbox, payment, 5_001)).toMatchObject({
    status: 409,
    body: { error: 'Payment has only 5000 left to refund' },
  });
  const rest = await sandbox.call('POST', `/v2/payment/${payment}/refund`);
  expect(rest).toMatchObject({ status: 200, body: { amount: 5_000 } });
  expect(await refund(sandbox, payment)).toMatchObject({
    status: 409,
    body: { error: 'Payment is already refunded' },
  });
  await clearToday(sandbox);
  expect(await refund(sandbox, payment, 1)).toMatchObject({ status: 409 });
  expect((await refundsOf(payment)).map(({ amount, status }) => [amount, status])).toEqual([
    [5_000, 'refunded'],
    [4_000, 'refunded'],
  ]);
});

test('the amount of a failed refund can be refunded again', async () => {
  const payment = await capturedPayment(sandbox, { amount: 800 });
  const refunds = sandbox.http.app.get(Refunds, { strict: false });
  const failed = idOf((await refund(sandbox, payment)).body);
  expect(await refunds.markFailed(HOUSE_TEST, failed, 'fail')).toMatchObject({ status: 'failed' });
  const unwanted = idOf((await refund(sandbox, payment)).body);
  await expect(refunds.markFailed(HOUSE_TEST, unwanted, 'dishonor')).rejects.toMatchObject({
    status: 409,
  });
  await moveTo(sandbox, nextCutOff(await nowOf(sandbox)));
  expect(await refunds.markFailed(HOUSE_TEST, unwanted, 'dishonor')).toMatchObject({
    status: 'not_honored',
  });
  const last = await refund(sandbox, payment);
  expect(last).toMatchObject({ status: 200, body: { amount: 800 } });
  await clearToday(sandbox);
  expect((await refundsOf(payment)).map(({ status, payout }) => [status, payout !== null]))
    // The payout amount would be negative, so the refund's line is carried over.
    .toEqual([
      ['refunded', false],
      ['not_honored', false],
      ['failed', false],
    ]);
});

test('a refund of an intent refunds the intent’s latest payment; the intent’s refund list has the refunds of all its payments', async () => {
  const { body: intent } = await sandbox.call('POST', '/v2/payment_intents', { amount: 700 });
  const path = `/v2/payment_intents/${idOf(intent)}`;
  expect(await sandbox.call('POST', `${path}/refund`)).toMatchObject({ status: 409 });
  const paid = await sandbox.call('PATCH', path, { threeds: 'none', card: await cardId() });
  expect(paid.body).toMatchObject({ status: 'to_capture' });
  await clearToday(sandbox);
  const made = await sandbox.call('POST', `${path}/refund/`, { amount: 300 });
  expect(made).toMatchObject({ status: 200, body: { amount: 300, status: 'to_refund' } });
  expect((await sandbox.call('GET', `${path}/refunds`)).body).toEqual([made.body]);
});

const cardId = async (): Promise<string> => {
  const { card } = await pay(sandbox, { capture: false });
  return idOf(card as ApiObject);
};

test('refunds are listed newest first, and send no events', async () => {
  const payment = await capturedPayment(sandbox);
  const first = (await refund(sandbox, payment, 1)).body;
  const second = (await refund(sandbox, payment, 2)).body;
  const { body } = await sandbox.call('GET', '/v2/refunds?limit=2');
  expect(body).toEqual({
    refunds: [second, first],
    range: { start: 0, end: 1, limit: 2, count: 2, has_more: true },
  });
  const later = Number(second['created']) + 1;
  const none = await sandbox.call('GET', `/v2/refunds/?created=${later}`);
  expect(none.body).toMatchObject({ refunds: [] });
  expect(await eventTypesOf(sandbox, idOf(first), idOf(second))).toEqual([]);
  expect((await eventTypesOf(sandbox, payment)).filter((type) => type.endsWith('updated'))).toEqual(
    [],
  );
});

test.each([
  [{}, ['body', 'payment']],
  [{ payment: 'paym_short' }, ['body', 'payment']],
  [{ payment: `paym_${UNKNOWN}` }, ['body', 'payment']],
  [{ payment: `paym_${UNKNOWN}`, amount: 0 }, ['body', 'amount']],
  [{ payment: `paym_${UNKNOWN}`, amount: 4_294_967_296 }, ['body', 'amount']],
  [{ payment: `paym_${UNKNOWN}`, amount: '5' }, ['body', 'amount']],
  [{ payment: `paym_${UNKNOWN}`, reason: 'none' }, ['body', 'reason']],
])('the refund request %j is rejected with an error that names the field', async (body, loc) => {
  expect(await sandbox.call('POST', '/v2/refunds', body)).toMatchObject({
    status: 422,
    body: { detail: [{ loc }] },
  });
});

test('a live key can access neither a test payment nor its refund', async () => {
  const payment = await capturedPayment(sandbox);
  const id = idOf((await refund(sandbox, payment)).body);
  const calls = [
    ['GET', `/v2/refunds/${id}`],
    ['POST', `/v2/payments/${payment}/refund`],
    ['GET', `/v2/payments/${payment}/refunds`],
    ['GET', `/v2/payment_intents/pi_${UNKNOWN}/refunds`],
    ['POST', `/v2/payment_intents/pi_${UNKNOWN}/refund`],
  ] as const;
  for (const [method, path] of calls) {
    expect((await sandbox.call(method, path, undefined, LIVE_KEY)).status).toBe(404);
  }
  const made = await sandbox.call('POST', '/v2/refunds', { payment }, LIVE_KEY);
  expect(made.status).toBe(422);
  expect((await sandbox.call('POST', `/v2/payments/${payment}/refund`, { payment })).status).toBe(
    422,
  );
});
