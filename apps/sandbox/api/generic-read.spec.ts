import { type Harness, startHarness } from '../testing/harness.js';
import { ID_PREFIXES, idPattern, RESOURCES } from './ids.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

/** The path names of every resource, singular and plural, copied from docs/provider. */
const NAMES = {
  addr: ['address', 'addresses'],
  cust: ['customer', 'customers'],
  card: ['card', 'cards'],
  sepa: ['sepa'],
  mndt: ['mandate', 'mandates'],
  pi: ['payment_intent', 'payment_intents'],
  paym: ['payment', 'payments'],
  refd: ['refund', 'refunds'],
  dspt: ['dispute', 'disputes'],
  pout: ['payout', 'payouts'],
  prod: ['product', 'products'],
  price: ['price', 'prices'],
  sub: ['subscription', 'subscriptions'],
  we: ['webhook', 'webhooks', 'webhook_endpoint', 'webhook_endpoints'],
  evt: ['event', 'events'],
} as const;

const PATHS = ID_PREFIXES.flatMap((prefix) =>
  NAMES[prefix].flatMap((name) =>
    [`/v2/${name}/%`, `/v2/${name}/%/`].map((path) => [path, prefix] as const),
  ),
);

test.each(PATHS)('a resource can be read by its path %s', async (path, prefix) => {
  const id = `${prefix}_${'a'.repeat(24)}`;
  const unknown = await sandbox.call('GET', path.replace('%', id));
  expect([unknown.status, unknown.body]).toEqual([
    404,
    { error: `${RESOURCES[prefix].name} \`${id}\` not found` },
  ]);
  const wrong = await sandbox.call('GET', path.replace('%', `${prefix}_short`));
  expect([wrong.status, wrong.body]).toEqual([
    422,
    {
      detail: [
        {
          loc: ['path', 'id'],
          msg: `Input should match pattern '${idPattern(prefix)}'`,
          type: 'string_pattern_mismatch',
        },
      ],
    },
  ]);
  const other = await sandbox.call('PUT', path.replace('%', id), {});
  expect([other.status, other.body]).toEqual([405, { error: 'Method not allowed' }]);
  expect(other.headers.get('allow')).toContain('GET');
});

test.each(ID_PREFIXES.map((prefix) => [prefix]))(
  'resources are listed at the path %s',
  async (prefix) => {
    for (const name of NAMES[prefix]) {
      const { status, body } = await sandbox.call('GET', `/v2/${name}/`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual([NAMES[prefix].at(-1), 'range']);
      expect(body['range']).toEqual({ start: 0, end: 0, limit: 10, count: 0, has_more: false });
    }
  },
);

test('GET by id returns a webhook endpoint as its creation returned it, and an event as the list returns it', async () => {
  const endpoint = await sandbox.call('POST', '/v2/webhooks', { url: 'https://shop.test/hook' });
  const { body: customer } = await sandbox.call('POST', '/v2/customers', { mobile: '1' });
  const { body: page } = await sandbox.call('GET', '/v2/events');
  const [event] = page['events'] as unknown as { id: string; data: object }[];
  expect(event?.data).toEqual(customer);
  for (const name of NAMES.we) {
    const read = await sandbox.call('GET', `/v2/${name}/${endpoint.body['id']}/`);
    expect(read.body).toEqual(endpoint.body);
  }
  for (const name of NAMES.evt) {
    expect((await sandbox.call('GET', `/v2/${name}/${event?.id}`)).body).toEqual(event);
  }
});

test.each(['thing', 'things', 'constructor', 'ping', '__proto__'])(
  'GET /v2/%s/x returns 404, because no such resource exists',
  async (name) => {
    const { status, body } = await sandbox.call('GET', `/v2/${name}/x`);
    expect([status, body]).toEqual([404, { error: 'Not found' }]);
  },
);

test('ping requires a key and responds with and without a trailing slash', async () => {
  for (const path of ['/v2/ping', '/v2/ping/']) {
    const { status, body } = await sandbox.call('GET', path);
    expect([status, body]).toEqual([200, { ping: 'pong', mode: 'test', account: 'acct_house' }]);
    expect((await fetch(`${sandbox.url}${path}`)).status).toBe(401);
  }
});
