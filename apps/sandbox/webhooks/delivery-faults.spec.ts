import type { Pool } from 'pg';
import { developmentCertificate, specPool } from '#testing';
import { forgetWebhooks } from '../testing/forget-webhooks.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { type Receiver, startReceiver } from '../testing/receiver.js';

const certificate = developmentCertificate();
let sandbox: Harness;
let admin: Pool;
let receiver: Receiver;

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
  await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
});
afterEach(async () => {
  await forgetWebhooks(sandbox, admin);
  await receiver.close();
});

const arm = async (fault: object) => {
  const { status } = await sandbox.call('POST', '/sandbox/faults', { event: '*', ...fault });
  expect(status).toBe(200);
};
const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });
const newCustomer = async (externalId: string): Promise<void> => {
  await sandbox.call('POST', '/v2/customers', { email: 'a@example.test', external_id: externalId });
};
const arrived = (): string[] =>
  receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { external_id: string } }).data.external_id,
  );
const log = async () =>
  (await sandbox.call('GET', '/sandbox/deliveries?limit=100')).body['deliveries'] as unknown as {
    status: string;
    fault: string | null;
    attempts: unknown[];
  }[];

test('with the fault `lose`, an event never arrives, and the delivery log shows the event as lost', async () => {
  await arm({ kind: 'lose' });
  await newCustomer('lost');
  await newCustomer('kept');
  await advance('P3D');
  expect(arrived()).toEqual(['kept']);
  expect(await log()).toMatchObject([
    { status: 'delivered', fault: null },
    { status: 'lost', fault: 'lose', attempts: [] },
  ]);
});

test('with the fault `double`, an event arrives exactly twice with the same body', async () => {
  await arm({ kind: 'double', rate: 1 });
  await newCustomer('twice');
  await advance('P3D');
  expect(arrived()).toEqual(['twice', 'twice']);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(await log()).toMatchObject([
    { status: 'delivered', fault: 'double' },
    { status: 'delivered', fault: 'double' },
  ]);
});

test('with the fault `reorder`, an event arrives after the next event', async () => {
  await arm({ kind: 'reorder' });
  await newCustomer('first');
  await advance('PT1S');
  await newCustomer('second');
  await advance('PT15S');
  expect(arrived()).toEqual(['second', 'first']);
});

test('with the fault `reorder`, an event arrives after the next event although an earlier event is retried first', async () => {
  receiver.answer = { status: 500 };
  await newCustomer('first');
  await advance('PT15S');
  receiver.answer = { status: 200 };
  await arm({ kind: 'reorder' });
  await newCustomer('second');
  await advance('PT16S');
  await newCustomer('third');
  await advance('PT15S');
  expect(arrived()).toEqual(['first', 'first', 'third', 'second']);
});

test('with the fault `reorder` on all events, the events arrive in reverse order after a minute', async () => {
  await arm({ kind: 'reorder', rate: 1 });
  for (const name of ['first', 'second', 'third']) await newCustomer(name);
  await advance('PT16S');
  expect(arrived()).toEqual([]);
  await advance('PT1M');
  expect(arrived()).toEqual(['third', 'second', 'first']);
});

test('with the fault `delay`, an event is sent after the delay, even if the sandbox restarts meanwhile', async () => {
  await arm({ kind: 'delay', delay_ms: 3_600_000 });
  await newCustomer('late');
  await advance('PT16S');
  await sandbox.restart();
  await advance('PT59M');
  expect(arrived()).toEqual([]);
  await advance('PT1M');
  expect(arrived()).toEqual(['late']);
  expect(await log()).toMatchObject([{ fault: 'delay', attempts: [{ attempt: 1 }] }]);
});

test('a webhook fault applies only to the events that it names', async () => {
  await sandbox.call('POST', '/sandbox/faults', { event: 'payment.*', kind: 'lose', rate: 1 });
  await newCustomer('spared');
  await advance('PT16S');
  expect(arrived()).toEqual(['spared']);
});

test('injected webhook faults with the same seed lose the same events of a sequence', async () => {
  const arrivedWith = async (seed: string): Promise<string> => {
    await sandbox.call('DELETE', '/sandbox/faults');
    await arm({ kind: 'lose', rate: 0.4, seed });
    receiver.received.length = 0;
    for (let index = 0; index < 16; index += 1) await newCustomer(String(index));
    await advance('PT16S');
    return arrived()
      .map(Number)
      .sort((a, b) => a - b)
      .join(' ');
  };
  const first = await arrivedWith('41');
  expect(first.split(' ').length).toBeGreaterThan(3);
  expect(first.split(' ').length).toBeLessThan(16);
  expect(await arrivedWith('41')).toBe(first);
});

test('with the fault `delay`, an event is never sent when its endpoint is disabled during the delay', async () => {
  await arm({ kind: 'delay', delay_ms: 3_600_000 });
  await newCustomer('late');
  await advance('PT16S');
  const { body } = await sandbox.call('GET', '/v2/webhooks');
  const [endpoint] = body['webhook_endpoints'] as unknown as { id: string }[];
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint?.id}`, { enabled: false });
  await advance('P1D');
  expect(arrived()).toEqual([]);
  expect(await log()).toMatchObject([{ status: 'dropped' }]);
});
