import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { developmentCertificate, specPool, waitFor } from '#testing';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { forgetWebhooks } from '../testing/forget-webhooks.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { type Receiver, startReceiver } from '../testing/receiver.js';
import { ATTEMPT_DELAYS_MS } from './schedule.js';

const certificate = developmentCertificate();
let sandbox: Harness;
let receiver: Receiver;
let admin: pg.Pool;
let secret: string;
let endpoint: string;

beforeAll(async () => {
  const secretsKey = `spec:${Buffer.alloc(32, 7).toString('base64')}`;
  sandbox = await startHarness({ webhookCaFile: certificate.caFile, secretsKey });
  admin = specPool(sandbox.database.url, 1);
});
afterAll(async () => {
  await admin.end();
  await sandbox.stop();
});
beforeEach(async () => {
  receiver = await startReceiver(certificate);
  const { body } = await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
  secret = body['secret'] ?? '';
  endpoint = body['id'] ?? '';
});
afterEach(async () => {
  await forgetWebhooks(sandbox, admin);
  await receiver.close();
});

const advance = async (by: string) => {
  expect((await sandbox.call('POST', '/sandbox/clock', { advance: by })).status).toBe(200);
};

const newCustomer = async () =>
  (await sandbox.call('POST', '/v2/customers', { email: 'a@example.test' })).body;

const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
  (await admin.query<Row>(sql)).rows;

interface AttemptRow {
  at: Date;
  started: Date;
  ended: Date;
  error: string | null;
}
const attempts = () =>
  query<AttemptRow>(`
    SELECT e.created_at AS at, a.started_at AS started, a.ended_at AS ended, a.error
    FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
    JOIN events e ON e.id = d.event_id ORDER BY d.id, a.attempt`);

test('an event is sent 15 s after it occurred, signed, with the object as GET returns it', async () => {
  const customer = await newCustomer();
  // Advances by 8 s only, because the clock also runs between two requests, by seconds on a slow
  // machine.
  await advance('PT8S');
  expect(receiver.received).toHaveLength(0);
  const [delay] = await query<{ ms: string }>(
    'SELECT extract(epoch FROM due_at - created_at) * 1000 AS ms FROM deliveries d JOIN events e ON e.id = d.event_id',
  );
  expect(Number(delay?.ms)).toBe(15_000);
  await advance('PT7S');
  expect(receiver.received).toHaveLength(1);
  const [hook] = receiver.received;
  expect(JSON.parse(hook?.body ?? '')).toEqual({
    id: expect.stringMatching(/^evt_[a-zA-Z0-9]{24}$/),
    type: 'customer.created',
    data: customer,
  });
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(hook?.signature ?? '') ?? [];
  const signed = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${t}.${hook?.body}`);
  expect(v1).toBe(signed.digest('hex'));
  const [stored] = await query<{ secret: string }>('SELECT secret FROM webhook_endpoints');
  expect(stored?.secret).not.toContain(secret);
  expect(Math.abs(Date.now() / 1_000 - Number(t))).toBeLessThan(10);
  await advance('P2D');
  expect(receiver.received).toHaveLength(1);
});

test('the delivery of an event to a failing receiver is attempted 15 times with the published delays', async () => {
  receiver.answer = { status: 500 };
  await newCustomer();
  await advance('P1DT11H31M52S');
  expect(receiver.received).toHaveLength(15);
  const rows = await attempts();
  const delays = rows.map((row, index) => {
    const before = rows[index - 1];
    return row.started.getTime() - (before === undefined ? row.at : before.ended).getTime();
  });
  expect(delays).toEqual(ATTEMPT_DELAYS_MS);
  expect(new Set(receiver.received.map((hook) => hook.body)).size).toBe(1);
  await advance('P30D');
  expect(receiver.received).toHaveLength(15);
  expect(await query('SELECT status, attempts FROM deliveries')).toEqual([
    { status: 'given_up', attempts: 15 },
  ]);
});

test.each([
  ['201', { status: 201 }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
])(
  'the response %s counts as a failure and is not followed; 204 counts as a success',
  async (_, answer) => {
    receiver.answer = answer;
    await newCustomer();
    await advance('PT20S');
    receiver.answer = { status: 204 };
    await advance('P2D');
    expect(receiver.received.map((hook) => hook.path)).toEqual(['/hook', '/hook']);
  },
);

test('in real time, a delivery is sent as soon as it is due', async () => {
  await newCustomer();
  const [due] = await query<{ at: Date }>('SELECT due_at AS at FROM deliveries');
  await query(`UPDATE delivery_queue SET due_at = now() - interval '1 second'`);
  await query(`UPDATE sandbox_clock SET sandbox_at = now(), wall_at = now()`);
  expect(due).toBeDefined();
  await sandbox.restart();
  await waitFor(() => receiver.received.length === 1, { timeoutMs: 2_000 });
});

test('after a restart, each due delivery is sent exactly once', async () => {
  receiver.answer = { status: 503 };
  for (let index = 0; index < 3; index += 1) await newCustomer();
  await advance('PT20S');
  expect(receiver.received).toHaveLength(3);
  await sandbox.restart();
  receiver.answer = { status: 200 };
  await advance('PT1M');
  expect(receiver.received).toHaveLength(6);
  await sandbox.restart();
  await advance('P3D');
  expect(receiver.received).toHaveLength(6);
});

test('a webhook attempt whose process died counts as failed, and the retry schedule continues', async () => {
  await newCustomer();
  await query(`
    WITH claimed AS (DELETE FROM delivery_queue RETURNING delivery_id), leased AS (
      INSERT INTO delivery_leases (delivery_ids, until_wall)
      SELECT array_agg(delivery_id), now() - interval '1 second' FROM claimed)
    UPDATE deliveries SET status = 'sending', attempts = 1, due_at = NULL`);
  await query(`INSERT INTO delivery_attempts (delivery_id, attempt, started_at)
               SELECT id, 1, now() FROM deliveries`);
  await sandbox.restart();
  await advance('PT20S');
  expect(receiver.received).toHaveLength(1);
  expect(await query('SELECT attempt, outcome FROM delivery_attempts ORDER BY attempt')).toEqual([
    { attempt: 1, outcome: 'interrupted' },
    { attempt: 2, outcome: 'http' },
  ]);
});

test('a stop does not wait for the webhook attempts of another process', async () => {
  await query(`INSERT INTO delivery_leases (delivery_ids, until_wall)
               VALUES ('{}', now() + interval '1 hour')`);
  const moved = advance('PT1S');
  await waitFor(() => sandbox.http.app.get(SandboxClock).isHeld());
  await Promise.all([sandbox.restart(), moved]);
  await query('DELETE FROM delivery_leases');
});

test('when two processes run on one database, each webhook attempt is sent once', async () => {
  for (let index = 0; index < 20; index += 1) await newCustomer();
  const ids = await query<{ id: string }>('SELECT id FROM deliveries');
  expect(ids).toHaveLength(20);
  await sandbox.http.close();
  await query(`UPDATE delivery_queue SET due_at = now()`);
  const [other] = await Promise.all([sandbox.startAnother(), sandbox.restart()]);
  await waitFor(() => receiver.received.length >= 20, { timeoutMs: 5_000 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await other.close();
  expect(receiver.received).toHaveLength(20);
});

test('no further webhooks are sent to a disabled or deleted endpoint', async () => {
  receiver.answer = { status: 500 };
  await newCustomer();
  await advance('PT20S');
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { enabled: false });
  await newCustomer();
  await advance('P2D');
  await sandbox.call('DELETE', `/v2/webhooks/${endpoint}`);
  await advance('P2D');
  expect(receiver.received).toHaveLength(1);
});

test('a webhook attempt fails when the receiver has a self-signed certificate or a private IP address', async () => {
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { url: 'https://10.0.0.1/hook' });
  await newCustomer();
  await advance('PT20S');
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, {
    url: receiver.url.replace('localhost', '127.0.0.2'),
  });
  await advance('PT20S');
  expect((await attempts()).map((row) => row.error)).toEqual([
    'no_public_address',
    expect.stringMatching(/ECONNREFUSED|ERR_TLS/),
  ]);
});
