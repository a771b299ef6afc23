import type { Pool } from 'pg';
import { developmentCertificate, specPool, waitFor } from '#testing';
import { type Harness, startHarness } from '../testing/harness.js';
import { nowOf } from '../testing/money.js';
import { type Receiver, startReceiver } from '../testing/receiver.js';

const certificate = developmentCertificate();
let sandbox: Harness;
let admin: Pool;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(certificate);
  sandbox = await startHarness({ webhookCaFile: certificate.caFile });
  admin = specPool(sandbox.database.url, 1);
  await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
});
afterAll(async () => {
  await admin.end();
  await sandbox.stop();
  await receiver.close();
});

/** Changes the clock while the database has no such table. */
const changeWithout = async (table: string, body: object): Promise<void> => {
  await admin.query(`ALTER TABLE ${table} RENAME TO unavailable`);
  const { status } = await sandbox.call('POST', '/sandbox/clock', body);
  await admin.query(`ALTER TABLE unavailable RENAME TO ${table}`);
  expect(status).toBe(500);
};
const newCustomer = () => sandbox.call('POST', '/v2/customers', { email: 'a@example.test' });

test.each([1, 60])(
  'at clock rate %d, the clock runs after a move that failed, and the event of the next request arrives',
  async (rate) => {
    await sandbox.call('POST', '/sandbox/clock', { rate });
    receiver.received.length = 0;
    await changeWithout('sandbox_clock', { advance: 'P1D' });
    await newCustomer();
    const stoppedAt = await nowOf(sandbox);
    await waitFor(async () => (await nowOf(sandbox)) > stoppedAt, { timeoutMs: 5_000 });
    await sandbox.call('POST', '/sandbox/clock', { rate: 60 });
    await waitFor(() => receiver.received.length === 1, { timeoutMs: 5_000 });
  },
);

test('a new clock rate is effective although the followers of the clock could not be read', async () => {
  await sandbox.call('POST', '/sandbox/clock', { rate: 1 });
  receiver.received.length = 0;
  await newCustomer();
  await changeWithout('clock_followers', { rate: 60 });
  await waitFor(() => receiver.received.length === 1, { timeoutMs: 5_000 });
});
