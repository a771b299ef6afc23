import { type Harness, startHarness } from '../testing/harness.js';
import { TEST_CARDS } from '../test-values.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const cardWith = (scenario: string) => {
  const found = TEST_CARDS.find((card) => card.scenario.startsWith(scenario));
  return { number: found?.value ?? '', expMonth: 12, expYear: 2090, cvc: '123', name: 'A. Payer' };
};
const SECURE = cardWith('Accepted, 3D Secure optional');

const newIntent = async (more: object = {}): Promise<string> => {
  const body = { amount: 1250, capture: false, ...more };
  const { status, body: intent } = await sandbox.call('POST', '/v2/payment_intents/', body);
  expect(status).toBe(200);
  return intent['id'] ?? '';
};

const read = async (id: string) => (await sandbox.call('GET', `/v2/payment_intents/${id}`)).body;

test('a card with 3-D Secure is authorized, then captured by the merchant', async () => {
  const id = await newIntent({ order_id: 'order-1' });
  const outcome = await sandbox.pageFlow.submitCard(id, SECURE);
  expect(outcome.next).toBe('secure_auth');
  expect(await read(id)).toMatchObject({ status: 'require_authentication' });
  const session = outcome.next === 'secure_auth' ? outcome.authSessionId : '';
  expect(await sandbox.pageFlow.authSession(session)).toMatchObject({ status: 'attempted' });
  expect(await sandbox.pageFlow.decide(session, 'approve')).toEqual({
    next: 'confirm', intentId: id,
  });
  expect(await read(id)).toMatchObject({ status: 'authorized' });
  const captured = await sandbox.call('POST', `/v2/payment_intents/${id}/capture`);
  expect(captured.status).toBe(200);
  expect(captured.body).toMatchObject({ id, status: 'to_capture' });
  const found = await sandbox.call('GET', '/v2/payments/?order_id=order-1');
  expect(found.body).toMatchObject({
    payments: [
      {
        amount: 1250, status: 'to_capture', response: '00', payment_intent: id,
        auth: { status: 'success' }, card: { last4: SECURE.number.slice(-4) },
      },
    ],
    range: { start: 0, end: 0, limit: 10, count: 1, has_more: false },
  });
});
