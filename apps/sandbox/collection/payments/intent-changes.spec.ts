import { type Harness, startHarness } from '../../testing/harness.js';
import {
  cardLike,
  clearToday,
  eventTypesOf,
  idOf,
  moveToNoon,
  pay,
  sessionOf,
  type ApiObject,
} from '../../testing/money.js';
import { TEST_IBANS } from '../banks/test-values.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const newIntent = async (more: object = {}): Promise<string> =>
  idOf((await sandbox.call('POST', '/v2/payment_intents', { amount: 1_000, ...more })).body);
const patch = (id: string, body: object) =>
  sandbox.call('PATCH', `/v2/payment_intents/${id}`, body);
const paymentsOf = async (id: string): Promise<ApiObject[]> =>
  (await sandbox.call('GET', `/v2/payment_intents/${id}/payments`)).body as unknown as ApiObject[];
const cardOf = async (scenario: string): Promise<string> =>
  idOf((await sandbox.call('POST', '/v2/cards', cardLike(scenario))).body);
const eventsOf = async (id: string): Promise<string[]> =>
  eventTypesOf(sandbox, id, ...(await paymentsOf(id)).map(idOf));

test('a PATCH with a card redirects the payer to the bank for approval', async () => {
  const id = await newIntent({ return_url: 'https://shop.example/back' });
  const card = await cardOf('Accepted, 3D Secure optional');
  expect(await patch(id, { card })).toMatchObject({
    status: 200,
    body: { status: 'require_authentication', card },
  });
  const [payment] = await paymentsOf(id);
  const session = sessionOf(payment);
  expect(payment).toMatchObject({
    auth: { status: 'requested', redirect_url: `http://sandbox.test/bank/${session}` },
  });
  await sandbox.pageFlow.decide(session, 'approve');
  await sandbox.pageFlow.confirm(id);
  expect((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body).toMatchObject({
    status: 'to_capture',
  });
  expect(await eventsOf(id)).toEqual([
    'payment_intent.created',
    'payment.created',
    'payment_intent.updated',
    'payment.authorized',
    'payment_intent.authorized',
    'payment.to_captured',
    'payment.succeeded',
  ]);
});

test('with threeds none, a card is authorized immediately, and captured when capture is automatic', async () => {
  const card = await cardOf('Accepted, 3D Secure optional');
  const automatic = await newIntent();
  expect((await patch(automatic, { card, threeds: 'none' })).body).toMatchObject({
    status: 'to_capture',
    threeds: 'none',
  });
  const manual = await newIntent({ capture: false, threeds: 'none' });
  expect((await patch(manual, { card })).body).toMatchObject({ status: 'authorized' });
  expect((await patch(manual, { description: 'Too late' })).status).toBe(409);
});

test('an intent accepts a second card after the first card was refused', async () => {
  const id = await newIntent({ threeds: 'none' });
  expect((await patch(id, { card: await cardOf('Insufficient funds') })).body).toMatchObject({
    status: 'require_payment_method',
  });
  expect(await paymentsOf(id)).toMatchObject([{ status: 'refused', response: '51' }]);
  const card = await cardOf('Accepted, 3D Secure not required');
  expect((await patch(id, { card })).body).toMatchObject({ status: 'to_capture' });
});

const signedAccount = async (): Promise<string> => {
  const sepa = {
    name: 'A. Payer',
    iban: TEST_IBANS[0]?.value,
    mandate: 'RUM-3',
    date_mandate: '2026-02-01',
  };
  return idOf((await pay(sandbox, { card: null, sepa }))['sepa'] as ApiObject);
};

test('a PATCH with a bank account debits the account if its mandate is signed, and otherwise returns 409', async () => {
  const id = await newIntent();
  const bare = { name: 'B. Payer', iban: TEST_IBANS[1]?.value };
  const unsigned = idOf((await sandbox.call('POST', '/v2/sepa', bare)).body);
  expect(await patch(id, { sepa: unsigned, description: 'Not kept' })).toMatchObject({
    status: 409,
    body: { error: `SEPA account \`${unsigned}\` has no signed mandate` },
  });
  expect((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body).toMatchObject({
    description: null,
    sepa: null,
    payment: null,
  });
  const sepa = await signedAccount();
  expect((await patch(id, { sepa })).body).toMatchObject({ status: 'processing', sepa });
  expect(await paymentsOf(id)).toMatchObject([{ status: 'to_capture', method: 'sepa' }]);
  await clearToday(sandbox);
  expect((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body).toMatchObject({
    status: 'processing',
  });
});

test('a payment method that the intent does not allow is rejected with 409', async () => {
  const onlySepa = await newIntent({ methods_allowed: 'sepa' });
  const card = await cardOf('Accepted, 3D Secure not required');
  expect((await patch(onlySepa, { card })).status).toBe(409);
  const onlyCard = await newIntent({ methods_allowed: ['card'] });
  expect((await patch(onlyCard, { sepa: await signedAccount() })).status).toBe(409);
  expect(await patch(onlyCard, { sepa: await signedAccount(), card })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'sepa'] }] },
  });
});

test('a PATCH can change the fields of an intent while nothing is authorized, and sends one event', async () => {
  const customer = await sandbox.call('POST', '/v2/customers', { email: 'a@example.test' });
  const id = await newIntent();
  const changes = {
    amount: 2_000,
    currency: 'usd',
    capture: false,
    threeds: 'required',
    description: 'Tea',
    customer: idOf(customer.body),
    order_id: 'o-5',
    unique_id: 'changed-1',
    return_url: 'https://shop.example/b',
    date_settlement: '2026-12-01',
    metadata: { a: 1 },
  };
  expect((await patch(id, changes)).body).toMatchObject({ ...changes, methods_allowed: ['card'] });
  await patch(id, changes);
  expect((await patch(id, { description: null })).body).toMatchObject({ description: null });
  expect(await eventsOf(id)).toEqual([
    'payment_intent.created',
    'payment_intent.updated',
    'payment_intent.updated',
  ]);
  const filters = [
    'order_id=o-5',
    'unique_id=changed-1',
    `created=${Number(customer.body['created'])}`,
  ];
  for (const filter of filters) {
    const { body } = await sandbox.call('GET', `/v2/payment_intents?${filter}`);
    expect((body['payment_intents'] as unknown as ApiObject[]).map(idOf)).toContain(id);
  }
});

test('a PATCH with a new amount ends the 3-D Secure session in which the payer was approving the old amount', async () => {
  const id = await newIntent();
  await patch(id, { card: await cardOf('Accepted, 3D Secure optional') });
  expect((await patch(id, { description: 'Still there' })).body).toMatchObject({
    status: 'require_authentication',
  });
  expect((await patch(id, { amount: 900 })).body).toMatchObject({
    status: 'require_payment_method',
    amount: 900,
  });
  const [payment] = await paymentsOf(id);
  expect(payment).toMatchObject({ status: 'failed', amount: 1_000 });
  const session = sessionOf(payment);
  await expect(sandbox.pageFlow.decide(session, 'approve')).rejects.toMatchObject({
    code: 'session_over',
  });
});

test("the payer's 3-D Secure session ends when the intent no longer allows cards", async () => {
  const id = await newIntent();
  await patch(id, { card: await cardOf('Accepted, 3D Secure optional') });
  const session = sessionOf((await paymentsOf(id))[0]);
  expect((await patch(id, { methods_allowed: 'sepa' })).body).toMatchObject({
    status: 'require_payment_method',
    methods_allowed: ['sepa'],
  });
  await expect(sandbox.pageFlow.decide(session, 'approve')).rejects.toMatchObject({
    code: 'session_over',
  });
});

test('a PATCH with an invalid or already used value is rejected and changes nothing', async () => {
  const id = await newIntent({ unique_id: 'mine' });
  await newIntent({ unique_id: 'taken' });
  expect((await patch(id, { unique_id: 'taken' })).status).toBe(409);
  const bodies = [
    { amount: null },
    { amount: 0 },
    { currency: null },
    { capture: null },
    { status: 'captured' },
    { methods_allowed: null },
    { methods_allowed: [] },
    { card: 'card_x' },
    { card: `card_${'a'.repeat(24)}` },
    { methods_allowed: 'sepa', currency: 'usd' },
  ];
  for (const body of bodies) expect([body, (await patch(id, body)).status]).toEqual([body, 422]);
  expect(await eventsOf(id)).toEqual(['payment_intent.created']);
});
