import { DAY_MS, plusMs } from '#kernel';
import { nextCutOff, nextMorning } from '../../money/bank-days.js';
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
import { TEST_IBANS } from '../banks/test-values.js';
import { Disputes } from './disputes.service.js';

let sandbox: Harness;
let disputes: Disputes;
beforeAll(async () => {
  sandbox = await startHarness();
  disputes = sandbox.http.app.get(Disputes, { strict: false });
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const of = async (path: string): Promise<ApiObject[]> =>
  (await sandbox.call('GET', `/v2/${path}/disputes`)).body as unknown as ApiObject[];

test.each([
  ['national', '45'],
  ['first international', '1261'],
  ['second international', '4837'],
])(
  'a payment by a test card of the %s network is disputed a day after its capture, with the code %s',
  async (network, code) => {
    const card = cardLike(`Accepted then disputed (${network}`);
    const payment = await capturedPayment(sandbox, { card, amount: 4_200, order_id: 'order-7' });
    expect(await of(`payments/${payment}`)).toEqual([]);
    await sandbox.call('POST', '/sandbox/clock', { advance: 'P1D' });
    const [dispute] = await of(`payments/${payment}`);
    expect(dispute).toMatchObject({
      amount: 4_200,
      currency: 'eur',
      payment,
      payment_intent: null,
      response: code,
      fee: 1_500,
      type: 'chargeback',
      status: 'open',
      order_id: 'order-7',
    });
    expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'disputed' });
    expect(await sandbox.call('GET', `/v2/dispute/${idOf(dispute ?? {})}/`)).toMatchObject({
      status: 200,
      body: dispute,
    });
  },
);

test('a payout deducts the amount and the fee of each dispute opened on the morning of the payout', async () => {
  const card = cardLike('Accepted then disputed');
  const payment = await capturedPayment(sandbox, { card, amount: 1_000, currency: 'usd' });
  await pay(sandbox, { amount: 500_000, currency: 'usd' });
  await moveTo(sandbox, nextMorning(nextCutOff(await nowOf(sandbox))));
  const [dispute] = await of(`payments/${payment}`);
  const paidOut = await sandbox.call('GET', `/v2/payouts/${String(dispute?.['payout'])}`);
  expect(paidOut.body).toMatchObject({
    disputes: { amount: 1_000, method: { card: { amount: 1_000, count: 1, fees: 1_500 } } },
  });
  const lines = await sandbox.call('GET', `/v2/payouts/${String(dispute?.['payout'])}/disputes`);
  expect(lines.body).toMatchObject({ disputes: [dispute], range: { count: 1 } });
});

test.each(['AM04', 'AC04'])(
  'a debit of a test IBAN is returned a day after it settled, with the code %s, and cannot be contested',
  async (code) => {
    const iban = TEST_IBANS.find((each) => each.result === 'Disputed' && each.response === code);
    const sepa = {
      name: 'A. Payer',
      iban: iban?.value,
      mandate: `RUM-${code}`,
      date_mandate: '2026-01-31',
    };
    const payment = idOf(await pay(sandbox, { card: null, sepa }));
    await clearToday(sandbox);
    for (let day = 0; day < 6; day += 1) {
      await sandbox.call('POST', '/sandbox/clock', { advance: 'P1D' });
    }
    expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'disputed', method: 'sepa' });
    expect(await of(`payments/${payment}`)).toMatchObject([
      { response: code, type: 'sepa_return', status: 'not_contestable', fee: 1_500 },
    ]);
  },
);

test('a dispute leaves the intent captured and sends no event', async () => {
  const made = await sandbox.call('POST', '/v2/payment_intents', { amount: 900, threeds: 'none' });
  const card = idOf((await pay(sandbox, { capture: false }))['card'] as ApiObject);
  const path = `payment_intents/${idOf(made.body)}`;
  await sandbox.call('PATCH', `/v2/${path}`, { card });
  await clearToday(sandbox);
  const intent = (await sandbox.call('GET', `/v2/${path}`)).body;
  const payment = String(intent['payment']);
  const before = await eventTypesOf(sandbox, payment, idOf(intent));
  const dispute = await disputes.open(HOUSE_TEST, payment, '4853');
  expect(await of(path)).toMatchObject([
    { id: dispute.id, amount: 900, response: '4853', payment_intent: idOf(intent) },
  ]);
  expect((await sandbox.call('GET', `/v2/${path}`)).body).toMatchObject({ status: 'captured' });
  expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'disputed' });
  expect(await eventTypesOf(sandbox, payment, idOf(intent), dispute.id)).toEqual(before);
});

test('a manual dispute requires a captured payment and a code of the payment’s method, and can be opened only once', async () => {
  const held = idOf(await pay(sandbox, { capture: false }));
  await expect(disputes.open(HOUSE_TEST, held, '45')).rejects.toMatchObject({ status: 409 });
  const payment = await capturedPayment(sandbox);
  await expect(disputes.open(HOUSE_TEST, payment, 'AM04')).rejects.toMatchObject({ status: 422 });
  await expect(disputes.open(HOUSE_TEST, payment, 'toString')).rejects.toMatchObject({
    status: 422,
  });
  await expect(disputes.open({ ...HOUSE_TEST, live: true }, payment, '45')).rejects.toMatchObject({
    status: 404,
  });
  await disputes.open(HOUSE_TEST, payment, '45');
  await expect(disputes.open(HOUSE_TEST, payment, '45')).rejects.toMatchObject({ status: 409 });
  expect(await of(`payments/${payment}`)).toHaveLength(1);
});

test('a dispute cancels unsent refunds of its payment, and new refunds are rejected', async () => {
  const payment = await capturedPayment(sandbox);
  const unsent = idOf((await refund(sandbox, payment, 100)).body);
  await disputes.open(HOUSE_TEST, payment, '45');
  expect((await sandbox.call('GET', `/v2/refunds/${unsent}`)).body).toMatchObject({
    status: 'failed',
  });
  expect(await refund(sandbox, payment)).toMatchObject({
    status: 409,
    body: { error: 'Payment is disputed: it cannot be refunded, even if the dispute was won' },
  });
});

test('manual and automatic disputes charge back only the amount that was not refunded', async () => {
  const byHand = await capturedPayment(sandbox, { amount: 5_000 });
  await refund(sandbox, byHand, 2_000);
  await clearToday(sandbox);
  // The refund is not sent yet, so the dispute cancels the refund and charges back the whole
  // amount.
  await refund(sandbox, byHand, 500);
  expect(await disputes.open(HOUSE_TEST, byHand, '45')).toMatchObject({
    amount: 3_000,
    fee: 1_500,
  });

  const card = cardLike('Accepted then disputed');
  const byClock = await capturedPayment(sandbox, { card, amount: 5_000 });
  await refund(sandbox, byClock, 1);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P2D' });
  expect(await of(`payments/${byClock}`)).toMatchObject([{ amount: 4_999 }]);
});

test('a fully refunded payment is not disputed', async () => {
  const card = cardLike('Accepted then disputed');
  const payment = await capturedPayment(sandbox, { card, amount: 5_000 });
  await refund(sandbox, payment);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P2D' });
  expect(await of(`payments/${payment}`)).toEqual([]);
  expect(await paymentOf(sandbox, payment)).toMatchObject({ status: 'captured' });
  await expect(disputes.open(HOUSE_TEST, payment, '45')).rejects.toMatchObject({ status: 409 });
});

test('a dispute allows exactly the transitions of its state machine', async () => {
  const payment = await capturedPayment(sandbox);
  const { id } = await disputes.open(HOUSE_TEST, payment, '45');
  await expect(disputes.move(HOUSE_TEST, id, 'win')).rejects.toMatchObject({ status: 409 });
  const seen = [];
  for (const move of ['request_evidence', 'send_evidence', 'verify', 'win'] as const) {
    seen.push((await disputes.move(HOUSE_TEST, id, move)).status);
  }
  expect(seen).toEqual(['evidence_pending', 'evidence_sent', 'evidence_verification', 'won']);
  await expect(disputes.move(HOUSE_TEST, id, 'accept')).rejects.toMatchObject({ status: 409 });
});

test('the list of disputes contains those of the key’s mode, newest first, and can be filtered by creation time', async () => {
  const before = await nowOf(sandbox);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT2S' });
  const payment = await capturedPayment(sandbox);
  const { id } = await disputes.open(HOUSE_TEST, payment, '45');
  const since = Math.floor(Date.parse(plusMs(before, DAY_MS / 24)) / 1_000);
  const { body } = await sandbox.call('GET', `/v2/disputes?created=${since}`);
  expect((body['disputes'] as unknown as ApiObject[]).map(idOf)).toEqual([id]);
  expect((await sandbox.call('GET', '/v2/disputes', undefined, LIVE_KEY)).body).toMatchObject({
    disputes: [],
  });
  expect((await sandbox.call('GET', `/v2/disputes/${id}`, undefined, LIVE_KEY)).status).toBe(404);
  expect((await sandbox.call('POST', '/v2/disputes', {})).status).toBe(405);
});
