import { ask } from '../../onboarding/testing/partner.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { type Merchant, onboardMerchant } from '../../testing/merchants.js';
import { type ApiObject, cardLike, idOf } from '../../testing/money.js';
import { TEST_CARDS } from '../banks/test-values.js';

let sandbox: Harness;
let merchant: Merchant;

beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  merchant = await onboardMerchant(sandbox);
});

const make = async (path: string, body: object): Promise<string> => {
  const answer = await sandbox.call('POST', `/v2/${path}`, body, merchant.keys.test);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return idOf(answer.body);
};
const setStatus = (status: string) =>
  ask(sandbox, 'PATCH', `/company-status?company=${merchant.company}`, { status });
/** Makes the company available again, and returns its objects with its new key. */
const objectsLater = async (plural: string): Promise<readonly ApiObject[]> => {
  await setStatus('available');
  const keys: Merchant['keys'] = (
    await ask(sandbox, 'GET', `/company-keys?company=${merchant.company}`)
  ).body;
  const { body } = await sandbox.call('GET', `/v2/${plural}?limit=100`, undefined, keys.test);
  return body[plural] as unknown as readonly ApiObject[];
};
/** Sends a request of the payer's pages. */
const payer = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${sandbox.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};
const typed = (scenario: string) => ({
  number: TEST_CARDS.find((card) => card.scenario.startsWith(scenario))?.value,
  expMonth: 12,
  expYear: 2090,
  cvc: '123',
  name: 'Camille Martin',
});
const NOT_REQUIRED = 'Accepted, 3D Secure not required';
const OPTIONAL = 'Accepted, 3D Secure optional';
const CLOSED = {
  code: '03',
  message: 'This merchant no longer accepts payments. You have not been charged.',
};

test('a deactivated company takes no card payment on its payment pages', async () => {
  const intent = await make('payment_intents', { amount: 1_250 });
  await setStatus('deactivate');
  expect(await payer(`pay/${intent}/card`, typed(NOT_REQUIRED))).toMatchObject({
    ...CLOSED,
    next: 'refused',
  });
  expect(await payer(`pay/${intent}/card`, typed(OPTIONAL))).toMatchObject({
    ...CLOSED,
    next: 'refused',
  });
  const refused = { status: 'refused', response: '03' };
  expect(await objectsLater('payments')).toMatchObject([refused, refused]);
});

test('a payment is refused if its company is deactivated while the payer is at the bank', async () => {
  const intent = await make('payment_intents', { amount: 1_250 });
  const { authSessionId } = await payer(`pay/${intent}/card`, typed(OPTIONAL));
  await setStatus('deactivate');
  const decided = await payer(`bank/${String(authSessionId)}/decision`, { decision: 'approve' });
  expect(decided).toMatchObject({ ...CLOSED, next: 'refused' });
  expect(await objectsLater('payments')).toMatchObject([{ status: 'refused', response: '03' }]);
});

test('a deactivated company debits no bank account', async () => {
  const intent = await make('payment_intents', { amount: 1_250, methods_allowed: 'sepa' });
  const iban = 'FR7600000000000000000000194';
  await payer(`pay/${intent}/sepa`, { name: 'Camille Martin', iban, phone: '+33639980012' });
  const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${intent}`);
  const [{ body: message } = { body: '' }] = body['messages'] as unknown as { body: string }[];
  await setStatus('deactivate');
  const signed = await payer(`pay/${intent}/sign`, { code: /\d{4}/.exec(message)?.[0] });
  expect(signed).toMatchObject({ ...CLOSED, result: 'refused' });
  expect(await objectsLater('payments')).toMatchObject([{ status: 'refused', response: '03' }]);
});

test('a deactivated company’s subscriptions are canceled when they are next due', async () => {
  const customer = await make('customers', { email: 'a@example.test' });
  const product = await make('products', { name: 'Tea' });
  const price = await make('prices', { product, amount: 450, interval: 'month' });
  const card = await make('cards', cardLike(NOT_REQUIRED));
  await make('subscriptions', { customer, items: [{ price }], card });
  await setStatus('deactivate');
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P70D' });
  expect(await objectsLater('subscriptions')).toMatchObject([{ status: 'canceled' }]);
  expect(await objectsLater('payments')).toMatchObject([{ status: 'captured' }]);
  const events = await objectsLater('events');
  expect(events.map(({ type }) => type)).toContain('subscription.canceled');
});

test('a company that awaits its deactivation still takes payments', async () => {
  const intent = await make('payment_intents', { amount: 1_250 });
  await setStatus('pendingDeactivation');
  expect(await payer(`pay/${intent}/card`, typed(NOT_REQUIRED))).toEqual({ next: 'confirm' });
});
