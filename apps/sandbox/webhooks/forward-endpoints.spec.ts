import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ForwardConfig } from '../settings/sandbox-config.js';
import { type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../testing/harness.js';
import { onboardMerchant } from '../testing/merchants.js';

const SECRET = 'cd'.repeat(32);

interface Hook {
  readonly signature: string;
  readonly body: string;
}

const hooks: Hook[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const signature = String(request.headers['service-signature']);
    hooks.push({ signature, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(status).end();
  });
});
let url: string;
let sandbox: Harness;
let forward: ForwardConfig | null;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  forward = { url, secret: SECRET };
  sandbox = await startHarness({
    // A getter, because the sandbox reads this setting again at each restart.
    get forward() {
      return forward;
    },
    webhookLoopback: false,
    secretsKey: `spec:${Buffer.alloc(32, 7).toString('base64')}`,
  });
});
beforeEach(() => {
  hooks.length = 0;
  status = 200;
});
afterAll(async () => {
  await sandbox.stop();
  receiver.close();
  receiver.closeAllConnections();
});

const newCustomer = async (externalId: string, key = TEST_KEY): Promise<void> => {
  const body = { email: 'a@example.test', external_id: externalId };
  expect((await sandbox.call('POST', '/v2/customers', body, key)).status).toBe(200);
};
const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });
const customers = (): readonly string[] =>
  hooks
    .map(({ body }) => JSON.parse(body) as { type: string; data: { external_id: string } })
    .filter(({ type }) => type === 'customer.created')
    .map(({ data }) => data.external_id)
    .sort();

test('webhooks of every account, in both modes, are forwarded, signed with the secret', async () => {
  const { keys } = await onboardMerchant(sandbox);
  await newCustomer('house, test');
  await newCustomer('house, live', LIVE_KEY);
  await newCustomer('merchant, test', keys.test);
  await newCustomer('merchant, live', keys.live);
  await advance('PT15S');
  expect(customers()).toEqual(['house, live', 'house, test', 'merchant, live', 'merchant, test']);
  for (const { signature, body } of hooks) {
    const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    const signed = createHmac('sha256', Buffer.from(SECRET, 'hex')).update(`${t}.${body}`);
    expect(v1).toBe(signed.digest('hex'));
  }
});

test('a forwarded webhook is retried and can be replayed, but its URL is not listed as a webhook endpoint of an account', async () => {
  status = 500;
  await newCustomer('retried');
  await advance('PT15S');
  status = 204;
  await advance('PT1M');
  expect(customers()).toEqual(['retried', 'retried']);
  const { body } = await sandbox.call('GET', '/sandbox/deliveries');
  const [delivery] = body['deliveries'] as unknown as { event: string; endpoint: string }[];
  expect(delivery).toMatchObject({ url, status: 'delivered' });
  const again = { event: delivery?.event, endpoint: delivery?.endpoint };
  expect((await sandbox.call('POST', '/sandbox/deliveries', again)).status).toBe(200);
  await advance('PT1S');
  expect(customers()).toHaveLength(3);
  const page = await fetch(`${sandbox.url}/user-area/test/events/${delivery?.event}`);
  const text = await page.text();
  expect([page.status, text.includes(url), text.includes('webhooks/we_forward')]).toEqual([
    200,
    true,
    false,
  ]);
  const { body: own } = await sandbox.call('GET', '/v2/webhooks');
  expect(own['webhook_endpoints']).toEqual([]);
});

test('after a restart without forwarding, no webhook is forwarded', async () => {
  await newCustomer('before');
  forward = null;
  await sandbox.restart();
  await newCustomer('after');
  await advance('PT1M');
  expect(hooks).toEqual([]);
});

test('no account can register an http URL for webhooks, even the URL to which the sandbox forwards webhooks', async () => {
  const refused = await sandbox.call('POST', '/v2/webhooks', { url });
  expect(refused.status).toBe(422);
});
