import pg from 'pg';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { allOf, describeResource, eventsOf } from '../../testing/resource-rules.js';
import { TEST_CARDS, TEST_IBANS } from '../banks/test-values.js';
import { SUBSCRIPTIONS } from './subscription-resource.js';

let sandbox: Harness;
let customer: string;
let monthly: string;
let good: string;
let bad: string;

type Body = Record<string, unknown>;
const post = async (path: string, body: object, key?: string): Promise<Body> => {
  const made = await sandbox.call('POST', `/v2/${path}`, body, key);
  expect([made.status, made.body['detail'] ?? null]).toEqual([200, null]);
  return made.body;
};
const idFrom = async (path: string, body: object, key?: string): Promise<string> =>
  String((await post(path, body, key))['id']);

const newCustomer = (key?: string) => idFrom('customers', { email: 'a@example.test' }, key);
const newPrice = async (more: object = {}, key?: string): Promise<string> =>
  idFrom(
    'prices',
    {
      product: await idFrom('products', { name: 'Tea' }, key),
      amount: 1_250,
      interval: 'month',
      ...more,
    },
    key,
  );
let expiry = 0;
const newCard = (scenario: string): Promise<string> => {
  const number = TEST_CARDS.find((card) => card.scenario.startsWith(scenario))?.value;
  expiry += 1;
  return idFrom('cards', { number, exp_month: 1, exp_year: 2030 + expiry });
};

beforeAll(async () => {
  sandbox = await startHarness();
  customer = await newCustomer();
  monthly = await newPrice();
  good = await newCard('Accepted, 3D Secure optional');
  bad = await newCard('Insufficient funds');
});
afterAll(() => sandbox.stop());

const items = (price: string = monthly, quantity = 2) => [{ price, quantity }];
const subscribe = (more: object = {}) =>
  sandbox.call('POST', '/v2/subscriptions/', { customer, items: items(), ...more });
const change = (id: unknown, body: object) =>
  sandbox.call('PATCH', `/v2/subscriptions/${String(id)}`, body);
const read = async (id: unknown): Promise<Body> =>
  (await sandbox.call('GET', `/v2/subscriptions/${String(id)}`)).body;
const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });
const eventsWithStatus = async (id: unknown): Promise<string[]> => {
  const events = await eventsOf(sandbox, String(id));
  return events.map(({ type, data }) => `${type} ${String(data['status'])}`);
};
/**
 * The ids of a test's subscriptions, deleted after the test: a subscription that remained would be
 * billed whenever a later test moves the clock.
 */
const created: string[] = [];
afterEach(async () => {
  for (const id of created.splice(0)) await sandbox.call('DELETE', `/v2/subscriptions/${id}`);
});
/**
 * Creates a subscription with a new customer, so that all payments of the customer are payments of
 * this subscription.
 */
const alone = async (more: object = {}) => {
  const payer = await newCustomer();
  const { body } = await subscribe({ customer: payer, ...more });
  const id = String(body['id']);
  created.push(id);
  return { id, payer };
};
/** Oldest first. */
const paymentsOf = async (payer: string): Promise<Body[]> => {
  type Payment = Body & { customer: { id: string } | null };
  const payments = await allOf<Payment>(sandbox, 'payments');
  return payments.filter((payment) => payment.customer?.id === payer);
};
const detailOf = (field: string, ...rest: (string | number)[]) => [
  422,
  [{ loc: ['body', field, ...rest], msg: expect.any(String), type: expect.any(String) }],
];

describeResource({
  prefix: 'sub',
  sandbox: () => sandbox,
  body: async (key) =>
    key === undefined
      ? { customer, items: items() }
      : { customer: await newCustomer(key), items: items(await newPrice({}, key)) },
  change: () => ({ items: items(monthly, 3) }),
  answer: SUBSCRIPTIONS.answer,
  list: SUBSCRIPTIONS.page,
  deleted: 'readable',
  events: [
    'subscription.created',
    'subscription.updated',
    'subscription.canceled',
    'subscription.deleted',
  ],
});

test('a subscription without a payment method is incomplete until it gets a card', async () => {
  const { id, payer } = await alone({ items: [{ price: monthly }] });
  expect(await read(id)).toEqual({
    id: expect.stringMatching(/^sub_[a-zA-Z0-9]{24}$/),
    created: expect.any(Number),
    deleted: false,
    status: 'incomplete',
    customer: payer,
    items: [{ price: monthly, quantity: 1 }],
    card: null,
    sepa: null,
  });
  expect(await paymentsOf(payer)).toEqual([]);
  const paid = await change(id, { card: good });
  expect(paid.body).toMatchObject({ status: 'active', card: good });
  expect(await eventsWithStatus(id)).toEqual([
    'subscription.created incomplete',
    'subscription.updated active',
  ]);
  expect(await paymentsOf(payer)).toMatchObject([{ amount: 1_250, status: 'to_capture' }]);
});

test('the first payment of a subscription is made immediately, as an ordinary payment', async () => {
  const once = await newPrice({ amount: 500, interval: null });
  const { id, payer } = await alone({ card: good, items: [...items(), { price: once }] });
  expect(await read(id)).toMatchObject({ status: 'active' });
  expect(await eventsWithStatus(id)).toEqual([
    'subscription.created incomplete',
    'subscription.updated active',
  ]);
  const [payment] = await paymentsOf(payer);
  expect(payment).toMatchObject({
    amount: 3_000,
    currency: 'eur',
    status: 'to_capture',
    response: '00',
    method: 'card',
    card: { id: good },
    payment_intent: null,
    auth: null,
  });
  expect((await eventsOf(sandbox, String(payment?.['id']))).map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.authorized',
    'payment.to_captured',
    'payment.succeeded',
  ]);
});

test('a subscription stays incomplete when the first payment is refused', async () => {
  const { id, payer } = await alone({ card: bad });
  expect(await read(id)).toMatchObject({ status: 'incomplete', card: bad });
  expect(await eventsWithStatus(id)).toEqual(['subscription.created incomplete']);
  expect(await paymentsOf(payer)).toMatchObject([{ status: 'refused', response: '51' }]);
  await advance('P40D');
  expect(await paymentsOf(payer)).toHaveLength(1);
  expect(await read(id)).toMatchObject({ status: 'incomplete' });
});

test('a subscription is charged for each period at the start of the period, even after a restart', async () => {
  const daily = await newPrice({ interval: 'day', interval_count: 10 });
  const once = await newPrice({ amount: 500, interval: null });
  const { id, payer } = await alone({ card: good, items: [{ price: daily }, { price: once }] });
  await advance('P9DT23H59M');
  expect(await paymentsOf(payer)).toHaveLength(1);
  await sandbox.restart();
  await advance('PT1M');
  expect(await paymentsOf(payer)).toMatchObject([{ amount: 1_750 }, { amount: 1_250 }]);
  await advance('P25D');
  const payments = await paymentsOf(payer);
  expect(payments).toHaveLength(4);
  const gaps = payments
    .slice(1)
    .map((payment, index) => Number(payment['created']) - Number(payments[index]?.['created']));
  for (const gap of gaps) expect(Math.abs(gap - 10 * 86_400)).toBeLessThanOrEqual(5);
  expect(await eventsWithStatus(id)).toEqual([
    'subscription.created incomplete',
    'subscription.updated active',
  ]);
});

test('a subscription is past_due after a missed payment, and unpaid after three retries, without an event', async () => {
  const { id, payer } = await alone({ card: good });
  await change(id, { card: bad });
  expect(await paymentsOf(payer)).toHaveLength(1);
  await advance('P32D');
  expect(await read(id)).toMatchObject({ status: 'past_due' });
  const events = await eventsWithStatus(id);
  expect(events.slice(2)).toEqual([
    'subscription.updated active',
    'subscription.past_due past_due',
  ]);
  await advance('P12D');
  expect(await read(id)).toMatchObject({ status: 'unpaid' });
  expect(await eventsWithStatus(id)).toEqual(events);
  const refused = (await paymentsOf(payer)).filter(({ status }) => status === 'refused');
  const gaps = refused
    .slice(1)
    .map((payment, index) => Number(payment['created']) - Number(refused[index]?.['created']));
  expect(gaps.map((gap) => Math.round(gap / 86_400))).toEqual([1, 3, 5]);
  await advance('P40D');
  expect(await paymentsOf(payer)).toHaveLength(5);
  expect((await change(id, { card: bad })).body).toMatchObject({ status: 'unpaid' });
  expect((await change(id, { card: good })).body).toMatchObject({ status: 'active' });
  expect((await eventsWithStatus(id)).slice(events.length)).toEqual([
    'subscription.resumed active',
    'subscription.updated active',
  ]);
  await advance('P32D');
  expect((await paymentsOf(payer)).slice(5).map(({ response }) => response)).toEqual([
    '51',
    '00',
    '00',
  ]);
});

test('a new card resumes a past_due subscription, and is charged once if the request is repeated', async () => {
  const { id, payer } = await alone({ card: good });
  await change(id, { card: bad });
  await advance('P31D');
  expect(await read(id)).toMatchObject({ status: 'past_due' });
  const before = await paymentsOf(payer);
  const answers = await Promise.all([1, 2, 3].map(() => change(id, { card: good })));
  expect(answers.map(({ body }) => body['status'])).toEqual(['active', 'active', 'active']);
  expect(await paymentsOf(payer)).toHaveLength(before.length + 1);
  const resumed = (await eventsWithStatus(id)).filter((event) =>
    event.startsWith('subscription.resumed'),
  );
  expect(resumed).toHaveLength(1);
});

test('the next payment of a subscription is missed when its card is deleted', async () => {
  const card = await newCard('Accepted, 3D Secure not required');
  const { id, payer } = await alone({ card });
  await sandbox.call('DELETE', `/v2/cards/${card}`);
  await advance('P31D');
  expect(await read(id)).toMatchObject({ status: 'past_due', card });
  expect(await paymentsOf(payer)).toHaveLength(1);
});

test('deleting a subscription, or its customer, cancels the subscription without further payments', async () => {
  const deleted = await alone({ card: good });
  const orphan = await alone({ card: good });
  const answer = await sandbox.call('DELETE', `/v2/subscriptions/${deleted.id}`);
  expect(answer.body).toMatchObject({ status: 'canceled', deleted: true });
  await sandbox.call('DELETE', `/v2/customers/${orphan.payer}`);
  expect(await read(orphan.id)).toMatchObject({ status: 'canceled', deleted: false });
  const before = [await eventsWithStatus(deleted.id), await eventsWithStatus(orphan.id)];
  expect(before.map((events) => events.slice(2))).toEqual([
    ['subscription.canceled canceled', 'subscription.deleted canceled'],
    ['subscription.canceled canceled'],
  ]);
  await advance('P70D');
  expect([await eventsWithStatus(deleted.id), await eventsWithStatus(orphan.id)]).toEqual(before);
  for (const { id, payer } of [deleted, orphan]) {
    expect(await paymentsOf(payer)).toHaveLength(1);
    expect((await change(id, { card: good })).status).toBe(409);
  }
});

test('a subscription that is created while its customer is deleted is rejected or canceled', async () => {
  for (let round = 0; round < 4; round += 1) {
    const payer = await newCustomer();
    const remove = () => sandbox.call('DELETE', `/v2/customers/${payer}`);
    const make = () => subscribe({ customer: payer, card: good });
    const [one, , other] = await Promise.all(
      round % 2 === 0 ? [make(), remove(), make()] : [make(), make(), remove()],
    );
    for (const { status, body } of [one, other]) {
      if (body['customer'] === undefined) expect([200, 422]).toContain(status);
      else expect(await read(body['id'])).toMatchObject({ status: 'canceled' });
    }
  }
});

test('a subscription with an amount of zero becomes active without a payment', async () => {
  const { id, payer } = await alone({ card: good, items: items(await newPrice({ amount: 0 })) });
  expect(await read(id)).toMatchObject({ status: 'active' });
  await advance('P31D');
  expect(await read(id)).toMatchObject({ status: 'active' });
  expect(await paymentsOf(payer)).toEqual([]);
});

test('the next payment of a subscription is missed when its prices can no longer be billed in one payment', async () => {
  const [one, other] = [await newPrice(), await newPrice()];
  const { id } = await alone({ card: good, items: [{ price: one }, { price: other }] });
  await sandbox.call('PATCH', `/v2/prices/${one}`, { currency: 'usd' });
  await advance('P31D');
  expect(await read(id)).toMatchObject({ status: 'past_due' });
});

test('a deleted price is still billed to existing subscriptions, and rejected for new subscriptions', async () => {
  const price = await newPrice();
  const { payer } = await alone({ card: good, items: items(price) });
  await sandbox.call('DELETE', `/v2/prices/${price}`);
  await advance('P31D');
  expect(await paymentsOf(payer)).toHaveLength(2);
  const refused = await subscribe({ items: [{ price: monthly }, { price }] });
  expect([refused.status, refused.body['detail']]).toEqual(detailOf('items', 1, 'price'));
});

test('a subscription whose billing throws is billed again a day later, and does not stop the billing of other subscriptions', async () => {
  const [broken, sound] = [await alone({ card: good }), await alone({ card: good })];
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const setItems = (list: unknown) =>
    client.query('UPDATE subscriptions SET items = $2 WHERE id = $1', [
      broken.id,
      JSON.stringify(list),
    ]);
  await setItems(null);
  expect((await advance('P32D')).status).toBe(200);
  expect(await paymentsOf(sound.payer)).toHaveLength(2);
  expect(await paymentsOf(broken.payer)).toHaveLength(1);
  await setItems(items());
  await client.end();
  await advance('P1D');
  expect(await paymentsOf(broken.payer)).toHaveLength(2);
});

describe('a request for a subscription is rejected with', () => {
  test.each([
    ['no customer', { customer: undefined }, ['customer']],
    ['an unknown customer', { customer: `cust_${'a'.repeat(24)}` }, ['customer']],
    ['no items', { items: undefined }, ['items']],
    ['an empty list of items', { items: [] }, ['items']],
    ['too many items', { items: Array.from({ length: 21 }, () => ({ price: 'x' })) }, ['items']],
    ['a malformed price id', { items: [{ price: 'price_1' }] }, ['items', 0, 'price']],
    ['no price', { items: [{ quantity: 1 }] }, ['items', 0, 'price']],
    ['an unknown card', { card: `card_${'a'.repeat(24)}` }, ['card']],
    ['an unknown account', { sepa: `sepa_${'a'.repeat(24)}` }, ['sepa']],
  ])('%s', async (_, more, loc) => {
    const { status, body } = await subscribe(more);
    expect(status).toBe(422);
    expect(body['detail']).toContainEqual(expect.objectContaining({ loc: ['body', ...loc] }));
  });

  test.each([0, -1, 1.5, 1_000_001, '2', null])('a quantity of %p', async (quantity) => {
    const { status, body } = await subscribe({ items: [{ price: monthly, quantity }] });
    expect([status, body['detail']]).toEqual(detailOf('items', 0, 'quantity'));
  });

  test('an item with an unknown key', async () => {
    const { status, body } = await subscribe({ items: [{ price: monthly, colour: 'red' }] });
    expect([status, body['detail']]).toEqual(detailOf('items', 0, 'colour'));
  });

  test.each([
    ['different currencies', { currency: 'usd' }],
    ['different intervals', { interval: 'week' }],
    ['different interval counts', { interval_count: 2 }],
    ['a total amount above the maximum', { amount: 4_294_967_295 }],
  ])('items of %s', async (_, more) => {
    const other = items(await newPrice(more));
    const { status, body } = await subscribe({ items: [...items(), ...other] });
    expect([status, body['detail']]).toEqual(detailOf('items'));
  });

  test('prices or a customer of the other mode', async () => {
    const price = await newPrice({}, LIVE_KEY);
    const one = await subscribe({ items: items(price) });
    expect([one.status, one.body['detail']]).toEqual(detailOf('items', 0, 'price'));
    const other = await subscribe({ customer: await newCustomer(LIVE_KEY) });
    expect([other.status, other.body['detail']]).toEqual(detailOf('customer'));
  });

  test('a change of the customer, or with a new one-time price after the first payment', async () => {
    const { id } = await alone({ card: good });
    const moved = await change(id, { customer });
    expect([moved.status, moved.body['detail']]).toEqual(detailOf('customer'));
    const once = await newPrice({ interval: null });
    const late = await change(id, { items: [...items(), { price: once }] });
    expect([late.status, late.body['detail']]).toEqual(detailOf('items'));
  });
});

describe('a subscription paid by direct debit', () => {
  const newAccount = async (result: string, signed = true): Promise<string> => {
    const iban = TEST_IBANS.find((known) => known.result === result)?.value ?? '';
    const sepa = await idFrom('sepa', { name: 'A. Payer', iban });
    const more = signed ? { signed_at: 1_700_000_000 } : {};
    await post('mandates', { sepa, ...more });
    return sepa;
  };

  test('becomes active when the debit is accepted, and stays active when the debit settles', async () => {
    const { id, payer } = await alone({ sepa: await newAccount('Accepted') });
    expect(await read(id)).toMatchObject({ status: 'active', card: null });
    expect(await paymentsOf(payer)).toMatchObject([{ method: 'sepa', status: 'to_capture' }]);
    await advance('P8D');
    expect(await read(id)).toMatchObject({ status: 'active' });
    await advance('P24D');
    expect(await paymentsOf(payer)).toHaveLength(2);
  });

  test('becomes past_due when the debit is returned, and unpaid after nine days', async () => {
    const { id, payer } = await alone({ sepa: await newAccount('Refused') });
    expect(await read(id)).toMatchObject({ status: 'active' });
    await advance('P6D');
    expect(await read(id)).toMatchObject({ status: 'past_due' });
    expect((await eventsWithStatus(id)).at(-1)).toBe('subscription.past_due past_due');
    await advance('P10D');
    expect(await read(id)).toMatchObject({ status: 'unpaid' });
    expect(await paymentsOf(payer)).toMatchObject([{ status: 'refused' }]);
    const back = await change(id, { card: good });
    expect(back.body).toMatchObject({ status: 'active', card: good, sepa: null });
    expect((await eventsWithStatus(id)).slice(-2)).toEqual([
      'subscription.resumed active',
      'subscription.updated active',
    ]);
  });

  test.each([
    ['Accepted', 'active', 'captured'],
    ['Refused', 'past_due', 'refused'],
  ])(
    'is debited each day although debits need days to settle: a debit that is %s leaves it %s',
    async (result, status, first) => {
      const daily = items(await newPrice({ interval: 'day' }));
      const { id, payer } = await alone({ sepa: await newAccount(result), items: daily });
      await advance('P1DT1H');
      expect(await read(id)).toMatchObject({ status: 'active' });
      expect(await paymentsOf(payer)).toHaveLength(2);
      await advance('P8D');
      expect(await read(id)).toMatchObject({ status });
      expect((await paymentsOf(payer))[0]).toMatchObject({ status: first });
    },
  );

  test('charges again for each returned debit, also for one that was made while another was unsettled', async () => {
    const daily = items(await newPrice({ interval: 'day' }));
    const { id, payer } = await alone({ sepa: await newAccount('Accepted'), items: daily });
    await change(id, { sepa: await newAccount('Refused') });
    await advance('P1DT1H');
    await change(id, { card: good });
    await advance('P8D');
    const payments = await paymentsOf(payer);
    const debits = payments.filter(({ method }) => method === 'sepa');
    expect(debits).toMatchObject([{ status: 'captured' }, { status: 'refused' }]);
    // Eight days, and the day of the returned debit.
    expect(payments.filter(({ method }) => method === 'card')).toHaveLength(9);
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  test('misses a payment, without a debit, when a price is no longer in euros', async () => {
    const price = await newPrice();
    const { id, payer } = await alone({ sepa: await newAccount('Accepted'), items: items(price) });
    await sandbox.call('PATCH', `/v2/prices/${price}`, { currency: 'usd' });
    await advance('P32D');
    expect(await read(id)).toMatchObject({ status: 'past_due' });
    expect(await paymentsOf(payer)).toMatchObject([{ currency: 'eur' }]);
    await sandbox.call('PATCH', `/v2/prices/${price}`, { currency: 'eur' });
    await advance('P4D');
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  test.each([
    ['good', 'active', '00'],
    ['bad', 'past_due', '51'],
  ])(
    'charges a new %s card after the debit is returned, and is then %s',
    async (which, status, response) => {
      const { id, payer } = await alone({ sepa: await newAccount('Refused') });
      await change(id, { card: which === 'good' ? good : bad });
      expect(await paymentsOf(payer)).toHaveLength(1);
      await advance('P6D');
      const [debit, charge] = await paymentsOf(payer);
      expect(debit).toMatchObject({ method: 'sepa', status: 'refused' });
      expect(charge).toMatchObject({ method: 'card', response });
      expect(await read(id)).toMatchObject({ status });
    },
  );

  test('retries an immediately refused debit after one, three and five days', async () => {
    const { id, payer } = await alone({ card: good });
    const sepa = await idFrom('sepa', { name: 'A. Payer', iban: 'GB33BUKB20201555555555' });
    await post('mandates', { sepa, signed_at: 1_700_000_000 });
    await change(id, { sepa });
    await advance('P45D');
    expect(await read(id)).toMatchObject({ status: 'unpaid' });
    const refused = (await paymentsOf(payer)).filter(({ status }) => status === 'refused');
    expect(refused.map(({ method, response }) => [method, response])).toEqual(
      Array.from({ length: 4 }, () => ['sepa', '14']),
    );
    const days = refused
      .slice(1)
      .map(
        (payment, index) =>
          (Number(payment['created']) - Number(refused[index]?.['created'])) / 86_400,
      );
    expect(days.map(Math.round)).toEqual([1, 3, 5]);
  });

  test('requires a signed mandate and prices in euros, and rejects a card in the same request', async () => {
    const unsigned = await newAccount('Accepted', false);
    expect((await subscribe({ sepa: unsigned })).status).toBe(409);
    const sepa = await newAccount('Accepted');
    const dollars = items(await newPrice({ currency: 'usd' }));
    const answers = [
      await subscribe({ sepa, items: dollars }),
      await subscribe({ sepa, card: good }),
    ];
    for (const { status, body } of answers) {
      expect([status, body['detail']]).toEqual(detailOf('sepa'));
    }
  });
});
