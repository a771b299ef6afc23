import { describeFields } from '../../testing/field-rules.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { describeResource, eventsOf } from '../../testing/resource-rules.js';
import { PRICES } from './price-resource.js';
import { PRODUCTS } from './product-resource.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const newProduct = async (key?: string): Promise<string> =>
  (await sandbox.call('POST', '/v2/products', { name: 'Tea' }, key)).body['id'] ?? '';
const priceBody = async (key?: string) => ({ product: await newProduct(key), amount: 450 });

describeResource({
  prefix: 'prod',
  sandbox: () => sandbox,
  body: () => ({ name: 'Tea' }),
  change: () => ({ description: 'Green' }),
  answer: PRODUCTS.answer,
  list: PRODUCTS.page,
  deleted: 'not found',
  events: ['product.created', 'product.updated', 'product.deleted'],
});

describeResource({
  prefix: 'price',
  sandbox: () => sandbox,
  body: priceBody,
  change: () => ({ amount: 500 }),
  answer: PRICES.answer,
  list: PRICES.page,
  deleted: 'not found',
  events: ['price.created', 'price.updated', 'price.deleted'],
});

describeFields(
  () => sandbox,
  '/v2/products',
  PRODUCTS.create.schema,
  () => ({ name: 'Tea' }),
  [
    ['name', 1, 64],
    ['description', 1, 255],
    ['metadata', [{ shelf: 4 }, 'text', 7, [], null], ['x'.repeat(16_383)]],
  ],
);

describeFields(
  () => sandbox,
  '/v2/prices',
  PRICES.create.schema,
  priceBody,
  [
    ['amount', [0, 4_294_967_295], [-1, 4_294_967_296, 1.5, '450', null]],
    [
      'currency',
      ['eur', 'aud', 'cad', 'chf', 'dkk', 'gbp', 'nok', 'pln', 'sek', 'usd', null],
      ['EUR', 'jpy', '', 7],
    ],
    ['interval', ['day', 'week', 'month', 'year', null], ['hour', 'monthly', '', 7]],
  ],
  ['product', 'interval_count'],
);

test('a product and a price are returned with every field; fields without a value are null', async () => {
  const product = await sandbox.call('POST', '/v2/products/', { name: 'Tea' });
  expect(product.body).toEqual({
    id: expect.stringMatching(/^prod_[a-zA-Z0-9]{24}$/),
    created: expect.any(Number),
    deleted: false,
    name: 'Tea',
    description: null,
    metadata: null,
  });
  const body = { product: product.body['id'], amount: 450 };
  const price = await sandbox.call('POST', '/v2/prices/', body);
  expect(price.body).toEqual({
    id: expect.stringMatching(/^price_[a-zA-Z0-9]{24}$/),
    created: expect.any(Number),
    deleted: false,
    ...body,
    currency: 'eur',
    interval: null,
    interval_count: null,
  });
});

test('interval_count is 1 by default if the price has an interval, and otherwise null', async () => {
  const create = async (more: object) =>
    sandbox.call('POST', '/v2/prices', { ...(await priceBody()), ...more });
  const monthly = await create({ interval: 'month' });
  expect(monthly.body).toMatchObject({ interval: 'month', interval_count: 1 });
  expect((await create({ interval: 'week', interval_count: 2 })).body).toMatchObject({
    interval: 'week',
    interval_count: 2,
  });
  for (const refused of [
    await create({ interval_count: 2 }),
    await create({ interval: 'month', interval_count: 0 }),
    await create({ interval: 'month', interval_count: 1.5 }),
    await create({ interval: 'month', interval_count: 366 }),
  ]) {
    expect([refused.status, refused.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'interval_count'] }],
    ]);
  }
  const once = await sandbox.call('PATCH', `/v2/prices/${monthly.body['id']}`, { interval: null });
  expect(once.body).toMatchObject({ interval: null, interval_count: null });
});

test('a price requires an existing product and cannot change to another product', async () => {
  const product = await newProduct();
  const price = await sandbox.call('POST', '/v2/prices', { product, amount: 1 });
  const moved = await sandbox.call('PATCH', `/v2/prices/${price.body['id']}`, {
    product: await newProduct(),
  });
  expect([moved.status, moved.body['detail']]).toMatchObject([422, [{ loc: ['body', 'product'] }]]);
  await sandbox.call('DELETE', `/v2/products/${product}`);
  const refused = await sandbox.call('POST', '/v2/prices', { product, amount: 1 });
  expect([refused.status, refused.body['detail']]).toMatchObject([
    422,
    [{ loc: ['body', 'product'] }],
  ]);
  expect((await sandbox.call('GET', `/v2/prices/${price.body['id']}`)).status).toBe(200);
});

test('the event of a product change contains the updated product', async () => {
  const id = await newProduct();
  const changed = await sandbox.call('PATCH', `/v2/products/${id}`, { name: 'Coffee' });
  const [, updated] = await eventsOf(sandbox, id);
  expect(updated).toMatchObject({ type: 'product.updated', data: changed.body });
});
