import type { Pool } from 'pg';
import { developmentCertificate, specPool } from '#testing';
import { forgetWebhooks } from '../testing/forget-webhooks.js';
import { LIVE_KEY, type Harness, startHarness } from '../testing/harness.js';
import { type Receiver, startReceiver } from '../testing/receiver.js';

const certificate = developmentCertificate();
let sandbox: Harness;
let admin: Pool;
let receiver: Receiver;
let endpoint: string;

beforeAll(async () => {
  sandbox = await startHarness({ webhookCaFile: certificate.caFile });
  admin = specPool(sandbox.database.url, 1);
});
afterAll(async () => {
  await admin.end();
  await sandbox.stop();
});
beforeEach(async () => {
  receiver = await startReceiver(certificate);
  const { body } = await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
  endpoint = body['id'] ?? '';
});
afterEach(async () => {
  await forgetWebhooks(sandbox, admin);
  await receiver.close();
});

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly status: string;
  readonly replayed_at: string | null;
  readonly due_at: string | null;
  readonly attempts: readonly {
    readonly http_status: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  }[];
}
const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });
const newCustomer = () => sandbox.call('POST', '/v2/customers', { email: 'a@example.test' });
const log = async (query = ''): Promise<readonly Delivery[]> => {
  const { status, body } = await sandbox.call('GET', `/sandbox/deliveries${query}`);
  expect(status).toBe(200);
  return body['deliveries'] as unknown as Delivery[];
};
const replay = (event: string, to = endpoint) =>
  sandbox.call('POST', '/sandbox/deliveries', { event, endpoint: to });
const newEvent = async (): Promise<string> => {
  await newCustomer();
  await advance('PT16S');
  return (await log())[0]?.event ?? '';
};

test('the delivery log shows every attempt with its result, and when the next attempt is due', async () => {
  receiver.answer = { status: 503 };
  await newCustomer();
  await advance('PT40S');
  const [delivery] = await log(`?endpoint=${endpoint}`);
  expect(delivery).toMatchObject({
    type: 'customer.created',
    endpoint,
    status: 'waiting',
    live: false,
    replayed_at: null,
    url: receiver.url,
    attempts: [
      { attempt: 1, outcome: 'http', http_status: 503 },
      { attempt: 2, outcome: 'http', http_status: 503 },
    ],
  });
  const { body: clock } = await sandbox.call('GET', '/sandbox/clock');
  expect(Date.parse(delivery?.due_at ?? '')).toBeGreaterThan(Date.parse(String(clock['now'])));
  expect(await log(`?event=${delivery?.event}`)).toEqual([delivery]);
  expect((await sandbox.call('GET', `/sandbox/deliveries/${delivery?.id}`)).body).toEqual(delivery);
});

test('the delivery log is returned in pages, newest first', async () => {
  for (let index = 0; index < 3; index += 1) await newCustomer();
  const ids = (await log()).map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  const { body } = await sandbox.call('GET', '/sandbox/deliveries?limit=2&start=1');
  expect(body['range']).toEqual({ start: 1, end: 2, limit: 2, count: 2, has_more: false });
});

test('a replay sends the same event and body again with a new signature', async () => {
  const event = await newEvent();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { status, body } = await replay(event);
  expect([status, body['event'], body['replayed_at'] === null]).toEqual([200, event, false]);
  await advance('PT1S');
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.signature).not.toBe(first?.signature);
  expect(await log(`?event=${event}`)).toMatchObject([
    { status: 'delivered', attempts: [{ attempt: 1 }] },
    { status: 'delivered', replayed_at: null },
  ]);
});

test('a replay to a failing receiver is attempted 15 times, with the published delays', async () => {
  const event = await newEvent();
  receiver.answer = { status: 500 };
  await replay(event);
  await advance('P2D');
  const [again, first] = await log();
  expect(again).toMatchObject({ event, status: 'given_up' });
  expect([again?.attempts.length, first?.attempts.length]).toEqual([15, 1]);
});

test('a replay is rejected if the endpoint is disabled or deleted, or belongs to the other mode', async () => {
  const event = await newEvent();
  const other = await sandbox.call('POST', '/v2/webhooks', { url: receiver.url }, LIVE_KEY);
  expect((await replay(event, String(other.body['id']))).status).toBe(404);
  expect((await replay(event, 'we_aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
  expect((await replay('evt_aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
  expect((await replay('anything')).status).toBe(422);
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { enabled: false });
  expect((await replay(event)).status).toBe(409);
  await sandbox.call('DELETE', `/v2/webhooks/${endpoint}`);
  expect((await replay(event)).status).toBe(404);
  expect(await log()).toHaveLength(1);
});
