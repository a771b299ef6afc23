import pg from 'pg';
import { describeFields } from '../../testing/field-rules.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { describeResource, eventsOf } from '../../testing/resource-rules.js';
import { TEST_CARDS } from '../banks/test-values.js';
import { CARDS } from './card-resource.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const NUMBER = TEST_CARDS.find((card) => card.threeds === 'not_required')?.value ?? '';

let made = 0;
/** The body of a request for a new card; each call returns a different expiry date. */
const body = () => {
  made += 1;
  return { number: NUMBER, exp_month: (made % 12) + 1, exp_year: 2030 + Math.floor(made / 12) };
};
const create = (card: object, key?: string) => sandbox.call('POST', '/v2/cards/', card, key);
const newCustomer = async (key?: string): Promise<string> => {
  const { body: customer } = await sandbox.call(
    'POST',
    '/v2/customers',
    {
      email: 'a@example.test',
    },
    key,
  );
  return customer['id'] ?? '';
};

/** `digits` with the Luhn check digit appended. */
const withCheckDigit = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};
const numberOf = (length: number): string => withCheckDigit('9990'.padEnd(length - 1, '7'));

describeResource({
  prefix: 'card',
  sandbox: () => sandbox,
  body,
  change: () => ({ name: 'A. Payer' }),
  answer: CARDS.answer,
  list: CARDS.page,
  deleted: 'not found',
  events: ['card.created'],
});

describeFields(
  () => sandbox,
  '/v2/cards',
  CARDS.create.schema,
  body,
  [
    [
      'number',
      [numberOf(13), numberOf(16), numberOf(19)],
      [numberOf(12), numberOf(20), '9999000000000013', '9999 0000 0000 0012', '', 7, null],
    ],
    ['exp_month', [1, 12], [0, 13, 1.5, '1', null]],
    ['exp_year', [2031, 2099], [2020, 2100, 31, '2031', null]],
    ['cvc', ['123', '1234', null], ['12', '12345', 'abc', '', 123]],
    ['name', 3, 64],
    ['external_id', 1, 36],
    ['preferred_network', 1, 32],
    ['tokenize', [true, false, null], ['yes', 1]],
    ['zip_code', 2, 16],
  ],
  ['customer'],
);

test('a card is returned with every field except its number and its security code', async () => {
  const typed = {
    ...body(),
    cvc: '987',
    name: 'A. Payer',
    customer: await newCustomer(),
    external_id: 'mine',
    preferred_network: 'national',
    tokenize: true,
    zip_code: '75001',
  };
  const answer = await create(typed);
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^card_[a-zA-Z0-9]{24}$/),
    created: expect.any(Number),
    deleted: false,
    brand: 'cb',
    last4: NUMBER.slice(-4),
    exp_month: typed.exp_month,
    exp_year: typed.exp_year,
    country: 'FR',
    funding: 'debit',
    network: 'national',
    nature: 'personal',
    name: 'A. Payer',
    zip_code: '75001',
    customer: typed.customer,
    external_id: 'mine',
  });
});

test('a test card has the network of its scenario', async () => {
  const brands = TEST_CARDS.filter(({ result }) => result === 'Disputed').map(
    async ({ value }) => (await create({ ...body(), number: value })).body['brand'],
  );
  expect(await Promise.all(brands)).toEqual(['cb', 'visa', 'mastercard']);
});

test('entering the same number and expiry date twice in one mode creates one card and one event', async () => {
  const card = body();
  const first = await create({ ...card, name: 'A. Payer', cvc: '123' });
  const again = await create({ ...card, external_id: 'mine', cvc: '456' });
  expect(again.body).toEqual({ ...first.body, external_id: 'mine' });
  expect((await create(card)).body).toEqual(again.body);
  expect(await eventsOf(sandbox, first.body['id'] ?? '')).toHaveLength(1);
  const others = [
    await create({ ...card, exp_year: 2099 }),
    await create({ ...card, number: numberOf(16) }),
    await create(card, LIVE_KEY),
  ];
  const ids = [first, ...others].map((answer) => answer.body['id']);
  expect(new Set(ids).size).toBe(4);
});

test('concurrent requests with the same new card create one card and one event', async () => {
  const card = body();
  const answers = await Promise.all([1, 2, 3, 4].map(() => create(card)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const ids = new Set(answers.map((answer) => answer.body['id']));
  expect(ids.size).toBe(1);
  expect(await eventsOf(sandbox, String([...ids][0]))).toHaveLength(1);
});

test('a deleted card that is entered again is restored under its id', async () => {
  const card = body();
  const { body: first } = await create({ ...card, external_id: 'before' });
  await sandbox.call('DELETE', `/v2/cards/${first['id']}`);
  const back = await create(card);
  expect(back.body).toEqual({ ...first, external_id: null });
  expect((await sandbox.call('GET', `/v2/cards/${first['id']}`)).body).toEqual(back.body);
  const { id } = (await sandbox.call('POST', '/v2/payment_intents', { amount: 5 })).body;
  await sandbox.call('DELETE', `/v2/cards/${first['id']}`);
  await sandbox.pageFlow.submitCard(id ?? '', {
    number: card.number,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    cvc: '123',
  });
  expect((await sandbox.call('GET', `/v2/cards/${first['id']}`)).body['deleted']).toBe(false);
  expect((await eventsOf(sandbox, String(first['id']))).map(({ type }) => type)).toEqual([
    'card.created',
    'card.created',
    'card.created',
  ]);
});

test('a PATCH of a card clears fields set to null, and rejects a new number or security code', async () => {
  const { body: card } = await create({ ...body(), name: 'A. Payer', zip_code: '75001' });
  const path = `/v2/cards/${card['id']}`;
  const changed = await sandbox.call('PATCH', path, { name: null, preferred_network: 'national' });
  expect(changed.body).toEqual({ ...card, name: null, network: 'national' });
  for (const field of ['number', 'cvc']) {
    const { status, body: answer } = await sandbox.call('PATCH', path, { [field]: '1' });
    expect([status, answer['detail']]).toMatchObject([422, [{ loc: ['body', field] }]]);
  }
});

test.each([
  ['9999000000000012', 'visa'],
  ['4970101234567893', 'cb'],
  ['9990777777777778', null],
])('a card without a preferred network has its usual one: %s', async (number, network) => {
  const { body: card } = await create({ ...body(), number, preferred_network: 'national' });
  expect(card).toMatchObject({ network: 'national' });
  const path = `/v2/cards/${card['id']}`;
  const changed = await sandbox.call('PATCH', path, { preferred_network: null });
  expect(changed.body).toEqual({ ...card, network });
});

test('the customer of a card must exist in the same mode', async () => {
  const { body: card } = await create(body());
  for (const customer of [`cust_${'a'.repeat(24)}`, await newCustomer(LIVE_KEY)]) {
    const refused = [
      await create({ ...body(), customer }),
      await sandbox.call('PATCH', `/v2/cards/${card['id']}`, { customer }),
    ];
    for (const { status, body: answer } of refused) {
      expect([status, answer['detail']]).toMatchObject([422, [{ loc: ['body', 'customer'] }]]);
    }
  }
});

test('an expired card is rejected, and so is a card number in any other field', async () => {
  const now = new Date();
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const expired = { exp_month: last.getUTCMonth() + 1, exp_year: last.getUTCFullYear() };
  expect((await create({ number: NUMBER, ...expired })).status).toBe(422);
  for (const field of ['name', 'external_id', 'zip_code']) {
    const { status, body: answer } = await create({ ...body(), [field]: NUMBER });
    expect([status, answer['detail']]).toMatchObject([422, [{ loc: ['body', field] }]]);
    expect(JSON.stringify(answer)).not.toContain(NUMBER);
  }
});

test('a card’s number and security code are never stored, published or returned in a response', async () => {
  const number = numberOf(18);
  const answers = [
    await create({ ...body(), number, cvc: '9731' }),
    await create({ ...body(), number, cvc: '97315' }),
    await create({ number, exp_month: 1, exp_year: 2001, cvc: '9731' }),
    await sandbox.call('GET', '/v2/cards?limit=100'),
    await sandbox.call('GET', '/v2/events?limit=100'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200, 200]);
  expect(JSON.stringify(answers.map((answer) => answer.body))).not.toMatch(
    new RegExp(`${number}|9731`),
  );
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const { rows } = await client.query(`
    SELECT to_jsonb(cards) AS kept FROM cards UNION ALL SELECT to_jsonb(events) FROM events`);
  await client.end();
  expect(rows.length).toBeGreaterThan(1);
  // Only the whole number is searched for: the three or four digits of the security code may occur
  // in an id or a fingerprint by chance.
  expect(JSON.stringify(rows)).not.toContain(number);
});
