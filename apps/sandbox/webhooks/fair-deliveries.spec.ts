import pg from 'pg';
import { developmentCertificate, waitFor } from '#testing';
import { type Harness, startHarness } from '../testing/harness.js';
import { type Receiver, startReceiver } from '../testing/receiver.js';

const certificate = developmentCertificate();
let sandbox: Harness;
let receiver: Receiver;
let hanging: Receiver;
let endpoint: string;

beforeEach(async () => {
  [receiver, hanging, sandbox] = await Promise.all([
    startReceiver(certificate),
    startReceiver(certificate),
    startHarness({ webhookCaFile: certificate.caFile }),
  ]);
  const { body } = await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
  endpoint = String(body['id']);
});
afterEach(async () => {
  await hanging.close();
  await sandbox.stop();
  await receiver.close();
});

const advance = (by: string) => sandbox.call('POST', '/sandbox/clock', { advance: by });
const newCustomers = async (count: number): Promise<void> => {
  const body = { email: 'a@example.test' };
  for (let made = 0; made < count; made += 1) await sandbox.call('POST', '/v2/customers', body);
};
const connected = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
/** Restarts the sandbox with all deliveries due; in real time they are sent concurrently. */
const restartWithAllDue = (): Promise<void> =>
  sandbox.restart(() =>
    connected(async (client) => {
      await client.query('UPDATE delivery_queue SET due_at = now()');
    }),
  );
/** The results of the attempts of all deliveries; null while an attempt is in progress. */
const outcomes = () =>
  connected(async (client) => {
    const { rows } = await client.query<{ outcome: string | null; count: string }>(`
      SELECT outcome, count(*)
      FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id GROUP BY outcome`);
    return rows;
  });

/** How many attempts were made to a receiver, and how many of them have ended. */
const attempts = ({ url }: Receiver) =>
  connected(async (client) => {
    const { rows } = await client.query<{ made: string; ended: string }>(
      `SELECT count(*) AS made, count(a.ended_at) AS ended
       FROM delivery_attempts a
       JOIN deliveries d ON d.id = a.delivery_id
       JOIN webhook_endpoints w ON w.id = d.endpoint_id
       WHERE w.url = $1`,
      [url],
    );
    return rows[0];
  });

test('the timeout of an attempt starts when the attempt is sent, not while earlier attempts to a slow receiver delay it', async () => {
  receiver.answer = { status: 200, afterMs: 3_000 };
  await newCustomers(100);
  await restartWithAllDue();
  await waitFor(async () => (await outcomes()).every(({ outcome }) => outcome !== null), {
    timeoutMs: 30_000,
    everyMs: 200,
  });
  expect(await outcomes()).toEqual([{ outcome: 'http', count: '100' }]);
  expect(receiver.received).toHaveLength(100);
});

test('an endpoint that hangs does not delay other endpoints', async () => {
  hanging.answer = null;
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { enabled: false });
  await sandbox.call('POST', '/v2/webhooks/', { url: hanging.url });
  await newCustomers(80);
  await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { enabled: true });
  await newCustomers(1);
  await restartWithAllDue();
  await waitFor(() => receiver.received.length === 1, { timeoutMs: 30_000 });
  expect(await attempts(hanging)).toEqual({ made: '64', ended: '0' });
});

test('a delivery created after its endpoint was disabled is dropped', async () => {
  await newCustomers(1);
  await connected(async (unit) => {
    await unit.query('BEGIN');
    // This transaction creates the delivery while the endpoint is enabled, and commits after the
    // endpoint was disabled.
    await unit.query(`
      WITH made AS (
        INSERT INTO deliveries (event_id, endpoint_id, due_at)
        SELECT e.id, w.id, e.created_at FROM events e, webhook_endpoints w WHERE w.enabled
        RETURNING id, endpoint_id, due_at)
      INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id)
      SELECT endpoint_id, due_at, id FROM made`);
    await sandbox.call('PATCH', `/v2/webhooks/${endpoint}`, { enabled: false });
    await unit.query('COMMIT');
  });
  await advance('P2D');
  expect(receiver.received).toEqual([]);
  const { body } = await sandbox.call('GET', '/sandbox/deliveries');
  expect(body['deliveries']).toMatchObject([
    { status: 'dropped', attempts: [] },
    { status: 'dropped', attempts: [] },
  ]);
});
