import { describeFields } from '../../testing/field-rules.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { describeResource } from '../../testing/resource-rules.js';
import { ADDRESSES } from './address-resource.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const HOME = { zip_code: '75001', city: 'Paris', country: 'FR' };
const create = (body: object, key?: string) => sandbox.call('POST', '/v2/addresses/', body, key);
const idOf = async (body: object = HOME, key?: string): Promise<string> =>
  (await create(body, key)).body['id'] ?? '';

describeResource({
  prefix: 'addr',
  sandbox: () => sandbox,
  body: () => HOME,
  change: () => ({ city: 'Lyon' }),
  answer: ADDRESSES.answer,
  list: ADDRESSES.page,
  deleted: 'readable',
  events: [],
});

describeFields(
  () => sandbox,
  '/v2/addresses',
  ADDRESSES.create.schema,
  () => HOME,
  [
    ['zip_code', 2, 16],
    ['city', 1, 50],
    ['country', ['FR', 'DE', 'US'], ['FRA', 'F1', 'F', '', 250, null]],
    ['line1', 1, 50],
    ['line2', 1, 50],
    ['line3', 1, 50],
    ['state', 1, 3],
    ['metadata', [{ gate: 'B' }, {}, 'text', 7, [], null], ['x'.repeat(16_383)]],
  ],
);

test('an address is returned with every field; fields without a value are null', async () => {
  const { body } = await create(HOME);
  expect(body).toEqual({
    id: expect.stringMatching(/^addr_[a-zA-Z0-9]{24}$/),
    created_at: expect.any(Number),
    deleted: false,
    ...HOME,
    line1: null,
    line2: null,
    line3: null,
    state: null,
    metadata: null,
  });
  expect(Math.abs(Number(body['created_at']) - Date.now() / 1_000)).toBeLessThan(60);
});

test('a PATCH of an address can clear its optional fields but not its required fields', async () => {
  const id = await idOf({ ...HOME, line1: '1 rue X', metadata: { gate: 'B' } });
  const changed = await sandbox.call('PATCH', `/v2/addresses/${id}`, {
    line1: null,
    line2: 'floor 2',
    metadata: { gate: 'C' },
  });
  expect(changed.body).toMatchObject({
    ...HOME,
    line1: null,
    line2: 'floor 2',
    metadata: { gate: 'C' },
  });
  const refused = await sandbox.call('PATCH', `/v2/addresses/${id}`, { city: null });
  expect(refused.status).toBe(422);
});

describe('a reference to an address', () => {
  const referring = async (address: string, key?: string) => [
    await sandbox.call(
      'POST',
      '/v2/customers',
      { email: 'a@example.test', billing_address: address },
      key,
    ),
    await sandbox.call('POST', '/v2/payment_intents', { amount: 1, billing_address: address }, key),
  ];
  const refusal = (id: string) => ({
    detail: [{ loc: ['body', 'billing_address'], msg: `\`${id}\` not found`, type: 'value_error' }],
  });

  test('is accepted when the address exists', async () => {
    const id = await idOf();
    for (const { status, body } of await referring(id)) {
      expect([status, body['billing_address'], body['shipping_address']]).toEqual([200, id, null]);
    }
  });

  test.each([
    ['that does not exist', async () => `addr_${'a'.repeat(24)}`],
    ['of the other mode', () => idOf(HOME, LIVE_KEY)],
    [
      'that was deleted',
      async () => {
        const id = await idOf();
        await sandbox.call('DELETE', `/v2/addresses/${id}`);
        return id;
      },
    ],
  ])('is rejected for an address %s', async (_, make) => {
    const id = await make();
    for (const { status, body } of await referring(id)) {
      expect([status, body]).toEqual([422, refusal(id)]);
    }
  });

  test('stays unchanged when the address is deleted', async () => {
    const id = await idOf();
    const [customer] = await referring(id);
    await sandbox.call('DELETE', `/v2/addresses/${id}`);
    const path = `/v2/customers/${customer?.body['id']}`;
    const { status, body } = await sandbox.call('PATCH', path, { name: 'A. Payer' });
    expect([status, body['billing_address']]).toEqual([200, id]);
  });
});
