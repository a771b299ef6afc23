import { HOUSE_TEST } from '../../storage/account-scope.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import {
  cardLike,
  clearToday,
  eventTypesOf,
  idOf,
  moveToNoon,
  pay,
  paymentOf,
  sessionOf,
  type ApiObject,
} from '../../testing/money.js';
import { TEST_CARDS, TEST_IBANS } from '../banks/test-values.js';
import { Payments } from './payments.service.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const post = (body: object, key?: string) => sandbox.call('POST', '/v2/payments', body, key);
const SECURE = cardLike('Accepted, 3D Secure optional');

test('a payment created in one call is authorized and captured, and sends payment events but no intent events', async () => {
  const paid = await pay(sandbox, { order_id: 'o-1', description: 'Two teas', amount: 450 });
  expect(paid).toMatchObject({
    amount: 450,
    currency: 'eur',
    status: 'to_capture',
    response: '00',
    auth: null,
    method: 'card',
    sepa: null,
    customer: null,
    payment_intent: null,
    order_id: 'o-1',
    description: 'Two teas',
    capture: true,
    fee: null,
    payout: null,
    card: { last4: '0079', country: 'FR' },
  });
  expect(await eventTypesOf(sandbox, idOf(paid))).toEqual([
    'payment.created',
    'payment.authorized',
    'payment.to_captured',
    'payment.succeeded',
  ]);
  const { body } = await sandbox.call('GET', '/v2/events?limit=100');
  const types = (body['events'] as unknown as { type: string }[]).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('payment_intent'))).toEqual([]);
  expect((await sandbox.call('GET', '/v2/payment_intents')).body).toMatchObject({
    payment_intents: [],
  });
});

test('a payment created in one call with capture=false stays authorized until POST /v2/payments/{id}/capture', async () => {
  const held = await pay(sandbox, { capture: false });
  expect(held).toMatchObject({ status: 'authorized' });
  const path = `/v2/payments/${idOf(held)}/capture`;
  const answers = [await sandbox.call('POST', path), await sandbox.call('POST', path)];
  expect(answers.map(({ status, body }) => [status, body['status']])).toEqual([
    [200, 'to_capture'],
    [200, 'to_capture'],
  ]);
  expect(await eventTypesOf(sandbox, idOf(held))).toEqual([
    'payment.created',
    'payment.authorized',
    'payment.to_captured',
  ]);
});

test('with the field `auth`, the payer is redirected to the bank, whose page confirms the payment', async () => {
  const back = 'https://shop.example/back';
  const asked = await pay(sandbox, { card: SECURE, auth: { return_url: back } });
  expect(asked).toMatchObject({
    status: null,
    response: null,
    auth: { status: 'requested', return_url: back },
  });
  const session = sessionOf(asked);
  const outcome = await sandbox.pageFlow.decide(session, 'approve');
  expect(outcome).toMatchObject({ next: 'confirm' });
  expect(await paymentOf(sandbox, idOf(asked))).toMatchObject({
    status: 'authorized',
    auth: { status: 'success' },
  });
  const intentId = 'intentId' in outcome ? outcome.intentId : '';
  await sandbox.pageFlow.confirm(intentId);
  expect(await paymentOf(sandbox, idOf(asked))).toMatchObject({ status: 'to_capture' });
  expect((await sandbox.call('GET', `/v2/payment_intents/${intentId}`)).status).toBe(404);
});

test('a payment created in one call has no payment page; the payer approves or refuses it on the bank’s page', async () => {
  const asked = await pay(sandbox, { card: SECURE, auth: true });
  const outcome = await sandbox.pageFlow.decide(sessionOf(asked), 'refuse');
  const intentId = 'intentId' in outcome ? outcome.intentId : '';
  const page = `${sandbox.url}/pay/${intentId}`;
  const typed = { number: '9999000000000079', expMonth: 12, expYear: 2090, cvc: '123' };
  const send = (path: string, body: object) =>
    fetch(`${page}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const debit = { name: 'A. Payer', iban: TEST_IBANS[0]?.value, phone: '+33639980012' };
  const answers = [
    await fetch(page),
    await fetch(`${page}/state`),
    await send('card', typed),
    await send('sepa', debit),
    await send('code', {}),
    await send('sign', { code: '0000' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect(await paymentOf(sandbox, idOf(asked))).toMatchObject({ status: 'refused' });
  expect((await send('confirm', {})).status).toBe(200);
});

test('a payment created in one call, and interrupted after the approval at the bank, can be captured only in the User Area', async () => {
  const asked = await pay(sandbox, { card: SECURE, auth: true });
  await sandbox.pageFlow.decide(sessionOf(asked), 'approve');
  const refused = await sandbox.call('POST', `/v2/payments/${idOf(asked)}/capture`);
  expect(refused).toMatchObject({ status: 409 });
  const payments = sandbox.http.app.get(Payments, { strict: false });
  // The payer may still be on the bank's page, whose confirmation captures the payment.
  await expect(payments.captureManually(HOUSE_TEST, idOf(asked))).rejects.toMatchObject({
    status: 409,
  });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT15M1S' });
  expect(await payments.captureManually(HOUSE_TEST, idOf(asked))).toMatchObject({
    status: 'to_capture',
  });
  expect((await eventTypesOf(sandbox, idOf(asked))).at(-1)).toBe('payment.to_captured');
});

test('a payment can be canceled manually before it is sent to the bank; a repeated cancellation changes nothing', async () => {
  const payments = sandbox.http.app.get(Payments, { strict: false });
  const id = idOf(await pay(sandbox));
  expect(await payments.cancel(HOUSE_TEST, id)).toMatchObject({ status: 'canceled' });
  expect(await payments.cancel(HOUSE_TEST, id)).toMatchObject({ status: 'canceled' });
  await expect(payments.captureManually(HOUSE_TEST, id)).rejects.toMatchObject({ status: 409 });
  const sent = idOf(await pay(sandbox));
  await clearToday(sandbox);
  await expect(payments.cancel(HOUSE_TEST, sent)).rejects.toMatchObject({ status: 409 });
});

test.each([
  ['Do not honor', '05'],
  ['Lost card', '41'],
  ['3D Secure required', 'A1'],
])('a payment by %s is refused with the unmasked response code', async (scenario, response) => {
  const refused = await pay(sandbox, { card: cardLike(scenario) });
  expect(refused).toMatchObject({ status: 'refused', response });
  expect(await eventTypesOf(sandbox, idOf(refused))).toEqual([
    'payment.created',
    'payment.refused',
  ]);
});

test('a payment created in one call accepts the id of a stored card or bank account of the same mode', async () => {
  const card = idOf((await pay(sandbox))['card'] as ApiObject);
  expect(await pay(sandbox, { card })).toMatchObject({ status: 'to_capture', card: { id: card } });
  const body = { amount: 5, card };
  expect(await post(body, LIVE_KEY)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'card'] }] },
  });
  const live = await pay(sandbox, { card: SECURE }, LIVE_KEY);
  expect(live).toMatchObject({ status: 'refused', response: '14' });
});

const account = (more: object = {}) => ({ name: 'A. Payer', iban: TEST_IBANS[0]?.value, ...more });

test('a payment created in one call debits a bank account only under the account’s signed mandate', async () => {
  const signed = account({ mandate: 'RUM-9', date_mandate: '2026-02-01' });
  const paid = await pay(sandbox, { card: null, sepa: signed });
  expect(paid).toMatchObject({ status: 'to_capture', method: 'sepa', card: null, response: '00' });
  const again = await pay(sandbox, { card: undefined, sepa: signed });
  expect(again['sepa']).toEqual(paid['sepa']);
  const byId = await pay(sandbox, { card: null, sepa: idOf(paid['sepa'] as ApiObject) });
  expect(byId).toMatchObject({ status: 'to_capture', sepa: paid['sepa'] });

  expect(await post({ amount: 5, sepa: account() })).toMatchObject({ status: 409 });
  const other = account({
    iban: TEST_IBANS[1]?.value,
    mandate: 'RUM-9',
    date_mandate: '2026-02-01',
  });
  expect(await post({ amount: 5, sepa: other })).toMatchObject({ status: 409 });
  const unsigned = await sandbox.call('POST', '/v2/sepa', account());
  expect(await post({ amount: 5, sepa: idOf(unsigned.body) })).toMatchObject({ status: 409 });
  expect(await post({ amount: 5, sepa: signed, currency: 'usd' })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'currency'] }] },
  });
});

test('a unique_id can be used by only one payment or intent', async () => {
  const first = await pay(sandbox, { unique_id: 'u-1' });
  const body = { amount: 5, unique_id: 'u-1' };
  const error = `unique_id \`u-1\` is used by payment \`${idOf(first)}\``;
  expect(await post({ ...body, card: SECURE })).toMatchObject({ status: 409, body: { error } });
  expect(await sandbox.call('POST', '/v2/payment_intents', body)).toMatchObject({
    status: 409,
    body: { error },
  });
  const found = await sandbox.call('GET', '/v2/payments?unique_id=u-1');
  expect(found.body).toMatchObject({ payments: [first] });
});

test('four concurrent calls with the same unique_id and the same new card create one payment', async () => {
  const card = { number: TEST_CARDS[0]?.value, exp_month: 7, exp_year: 2077 };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => post({ amount: 5, unique_id: 'u-race', card })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('order_id and description of a payment can change in any status, with an event', async () => {
  const id = idOf(await pay(sandbox, { order_id: 'o-2' }));
  const change = { order_id: 'o-3', description: 'A changed mind' };
  expect(await sandbox.call('PATCH', `/v2/payments/${id}`, change)).toMatchObject({
    status: 200,
    body: { id, ...change },
  });
  await sandbox.call('PATCH', `/v2/payments/${id}`, change);
  await clearToday(sandbox);
  const cleared = await sandbox.call('PATCH', `/v2/payments/${id}`, { order_id: null });
  expect(cleared.body).toMatchObject({ order_id: null, status: 'captured' });
  const types = await eventTypesOf(sandbox, id);
  expect(types.filter((type) => type === 'payment.updated')).toHaveLength(2);
  expect((await sandbox.call('PATCH', `/v2/payments/${id}`, { amount: 1 })).status).toBe(422);
});

test.each([
  [{ card: SECURE }, ['body', 'amount']],
  [{ amount: 0, card: SECURE }, ['body', 'amount']],
  [{ amount: 5 }, ['body', 'card']],
  [{ amount: 5, card: SECURE, sepa: account() }, ['body', 'sepa']],
  [{ amount: 5, card: { ...SECURE, number: '9999000000000013' } }, ['body', 'card', 'number']],
  [{ amount: 5, card: SECURE, auth: 'yes' }, ['body', 'auth']],
  [{ amount: 5, card: SECURE, threeds: 'none' }, ['body', 'threeds']],
  [{ amount: 5, card: SECURE, customer: `cust_${'a'.repeat(24)}` }, ['body', 'customer']],
  [{ amount: 5, sepa: account({ iban: 'FR7600000000000000000000195' }) }, ['body', 'sepa', 'iban']],
])(
  'the body %j is rejected with an error that names the field and repeats no card number or IBAN',
  async (body, loc) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    const detail = answer.body['detail'] as unknown as { loc: unknown }[];
    expect(detail.map((each) => each.loc)).toContainEqual(loc);
    expect(JSON.stringify(answer.body)).not.toMatch(/9999000|FR7600/);
  },
);
