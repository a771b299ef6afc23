import { describeFields } from '../../testing/field-rules.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { describeResource } from '../../testing/resource-rules.js';
import { CUSTOMERS } from './customer-resource.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const EMAIL = 'a.payer@example.test';
const PAYER = { email: EMAIL, mobile: '+33600000000' };
const create = (body: object, key?: string) => sandbox.call('POST', '/v2/customers/', body, key);
const newCustomer = async (body: object = PAYER): Promise<string> =>
  (await create(body)).body['id'] ?? '';
const newAddress = async (key?: string): Promise<string> => {
  const home = { zip_code: '75001', city: 'Paris', country: 'FR' };
  return (await sandbox.call('POST', '/v2/addresses', home, key)).body['id'] ?? '';
};

describeResource({
  prefix: 'cust',
  sandbox: () => sandbox,
  body: () => PAYER,
  change: () => ({ name: 'A. Payer' }),
  answer: CUSTOMERS.answer,
  list: CUSTOMERS.page,
  deleted: 'not found',
  events: ['customer.created', 'customer.deleted'],
});

describeFields(
  () => sandbox,
  '/v2/customers',
  CUSTOMERS.create.schema,
  () => PAYER,
  [
    ['email', [EMAIL, null], ['a.payer', '@example.test', '', 7]],
    ['mobile', 1, 16],
    ['name', 3, 64],
    [
      'date_birth',
      ['1990-02-28', '2000-02-29', null],
      ['1990-02-30', '28/02/1990', '1990-2-3', '0990-01-01', 1990],
    ],
    ['legal_id', 1, 16],
    ['country', ['FR', null], ['FRA', 'F1', '', 33]],
    ['external_id', 1, 36],
  ],
  ['billing_address', 'shipping_address'],
);

test('a customer is returned with every field; fields without a value are null', async () => {
  const { body } = await create({ mobile: '+33600000000' });
  expect(body).toEqual({
    id: expect.stringMatching(/^cust_[a-zA-Z0-9]{24}$/),
    created: expect.any(Number),
    deleted: false,
    email: null,
    mobile: '+33600000000',
    name: null,
    date_birth: null,
    legal_id: null,
    country: null,
    external_id: null,
    billing_address: null,
    shipping_address: null,
  });
});

test('a customer requires an email or a mobile, also after a PATCH', async () => {
  for (const body of [{}, { name: 'A. Payer' }, { email: null, mobile: null }]) {
    expect((await create(body)).status).toBe(422);
  }
  const path = `/v2/customers/${await newCustomer({ email: EMAIL })}`;
  expect((await sandbox.call('PATCH', path, { email: null })).status).toBe(422);
  expect((await sandbox.call('GET', path)).body['email']).toBe(EMAIL);
  const moved = await sandbox.call('PATCH', path, { email: null, mobile: '0600000000' });
  expect(moved.body).toMatchObject({ email: null, mobile: '0600000000' });
});

test('digits like those of a card number are accepted in legal_id and mobile, and rejected in external_id', async () => {
  const made = await create({ legal_id: '60200000200017', mobile: '+6399800123333' });
  expect([made.status, made.body['legal_id'], made.body['mobile']]).toEqual([
    200,
    '60200000200017',
    '+6399800123333',
  ]);
  const path = `/v2/customers/${made.body['id']}`;
  expect((await sandbox.call('PATCH', path, { legal_id: '60200000200017' })).status).toBe(200);
  expect((await create({ ...PAYER, external_id: '60200000200017' })).body['detail']).toEqual([
    {
      loc: ['body', 'external_id'],
      type: 'card_number',
      msg: expect.stringMatching(/13 to 19 digits .* may be a card number/),
    },
  ]);
  for (const field of ['legal_id', 'mobile']) {
    expect((await create({ ...PAYER, [field]: '12\u00003' })).status).toBe(422);
  }
});

test('a customer can have an email of the maximum length', async () => {
  const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test`;
  expect(email).toHaveLength(254);
  expect((await create({ email })).body['email']).toBe(email);
  expect((await create({ email: `${email}s` })).status).toBe(422);
});

test('several customers can have the same external_id', async () => {
  const twins = await Promise.all([1, 2].map(() => create({ ...PAYER, external_id: 'twin' })));
  expect(twins.map(({ status, body }) => [status, body['external_id']])).toEqual([
    [200, 'twin'],
    [200, 'twin'],
  ]);
});

test('a PATCH keeps omitted fields, and clears fields set to null', async () => {
  const home = await newAddress();
  const made = await create({ ...PAYER, name: 'A. Payer', billing_address: home });
  const path = `/v2/customers/${made.body['id']}`;
  const changed = await sandbox.call('PATCH', path, { name: null, shipping_address: home });
  expect(changed.body).toEqual({ ...made.body, name: null, shipping_address: home });
});

test('the addresses of a customer must exist in the same mode', async () => {
  const path = `/v2/customers/${await newCustomer()}`;
  for (const address of [`addr_${'a'.repeat(24)}`, await newAddress(LIVE_KEY)]) {
    const answers = [
      await create({ ...PAYER, shipping_address: address }),
      await sandbox.call('PATCH', path, { shipping_address: address }),
    ];
    for (const { status, body } of answers) {
      expect([status, body['detail']]).toMatchObject([
        422,
        [{ loc: ['body', 'shipping_address'] }],
      ]);
    }
  }
  const wrong = await create({ ...PAYER, billing_address: 'addr_1' });
  expect(wrong.body['detail']).toMatchObject([{ loc: ['body', 'billing_address'] }]);
});

test('of three concurrent deletions of a customer, one succeeds', async () => {
  const path = `/v2/customers/${await newCustomer()}`;
  const answers = await Promise.all([1, 2, 3].map(() => sandbox.call('DELETE', path)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
});

test('a reference to a deleted customer is rejected', async () => {
  const customer = await newCustomer();
  await sandbox.call('DELETE', `/v2/customers/${customer}`);
  const intent = await sandbox.call('POST', '/v2/payment_intents', { amount: 1, customer });
  expect([intent.status, intent.body['detail']]).toMatchObject([
    422,
    [{ loc: ['body', 'customer'] }],
  ]);
});
