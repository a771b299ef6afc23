import { type Harness, startHarness } from '../../testing/harness.js';
import { all, cardLike, idOf, pay, type ApiObject } from '../../testing/money.js';
import { TEST_CARDS } from '../banks/test-values.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const make = async (path: string, body: object): Promise<ApiObject> => {
  const made = await sandbox.call('POST', path, body);
  expect([made.status, made.body['detail'] ?? null]).toEqual([200, null]);
  return made.body;
};

const idsOf = async (path: string, plural: string): Promise<string[]> =>
  (await all(sandbox, path, plural)).map(idOf);

test('intents can be filtered by order_id, unique_id, card and sepa', async () => {
  const card = idOf(await make('/v2/cards', cardLike('Accepted, 3D Secure not required')));
  const sepa = idOf(
    await make('/v2/sepa', {
      name: 'A. Payer',
      iban: 'FR7600000000000000000000194',
    }),
  );
  const intent = idOf(
    await make('/v2/payment_intents', {
      amount: 100,
      order_id: 'o-1',
      unique_id: 'u-1',
      card,
      sepa,
    }),
  );
  await make('/v2/payment_intents', { amount: 100, order_id: 'o-2', unique_id: 'u-2' });
  for (const filter of ['order_id=o-1', 'unique_id=u-1', `card=${card}`, `sepa=${sepa}`]) {
    const path = `/v2/payment_intents?${filter}`;
    expect(await idsOf(path, 'payment_intents')).toEqual([intent]);
  }
  expect(await idsOf('/v2/payment_intents?order_id=none', 'payment_intents')).toEqual([]);
});

test('intents can be filtered by the external_id of their customer', async () => {
  const customer = idOf(
    await make('/v2/customers', {
      email: 'a@example.test',
      external_id: 'theirs-9',
    }),
  );
  const intent = idOf(await make('/v2/payment_intents', { amount: 100, customer }));
  await make('/v2/payment_intents', { amount: 100 });
  expect(await idsOf('/v2/payment_intents?external_id=theirs-9', 'payment_intents')).toEqual([
    intent,
  ]);
  expect(await idsOf('/v2/payment_intents?external_id=unknownPayout', 'payment_intents')).toEqual(
    [],
  );
});

test('payments can be filtered by created, order_id, unique_id and payout', async () => {
  const payment = await pay(sandbox, { order_id: 'o-3', unique_id: 'u-3' });
  const unknownPayout = `pout_${'a'.repeat(24)}`;
  for (const [filter, found] of [
    [`created=${String(payment['created'])}`, [idOf(payment)]],
    [`created=${Number(payment['created']) + 60}`, []],
    ['order_id=o-3', [idOf(payment)]],
    ['order_id=o-4', []],
    ['unique_id=u-3', [idOf(payment)]],
    [`payout=${unknownPayout}`, []],
  ] as const) {
    expect(await idsOf(`/v2/payments?${filter}`, 'payments')).toEqual(found);
  }
});

test('a payment by a card that is not enrolled in 3-D Secure has the auth status unavailable', async () => {
  const number = TEST_CARDS.find(({ threeds }) => threeds === 'not_enrolled')?.value ?? '';
  const typed = { number, expMonth: 12, expYear: 2090, cvc: '123' };
  const attempt = async (more: object): Promise<readonly unknown[]> => {
    const intent = idOf(
      await make('/v2/payment_intents', { amount: 100, capture: false, ...more }),
    );
    const { next } = await sandbox.pageFlow.submitCard(intent, typed);
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${intent}/payments`);
    const [payment] = body as unknown as ApiObject[];
    return [next, payment?.['status'], payment?.['response'], payment?.['auth']];
  };
  const auth = { status: 'unavailable', redirect_url: null, return_url: null };
  expect(await attempt({})).toEqual(['confirm', 'authorized', '00', auth]);
  expect(await attempt({ threeds: 'required' })).toEqual(['refused', 'refused', 'A1', auth]);
});
