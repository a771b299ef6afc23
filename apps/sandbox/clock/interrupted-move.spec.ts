import type { Pool } from 'pg';
import { developmentCertificate, specPool, waitFor } from '#testing';
import { TEST_CARDS } from '../collection/banks/test-values.js';
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
const EASY = {
  number: TEST_CARDS.find((card) => card.threeds === 'not_required')?.value ?? '',
  expMonth: 1,
  expYear: 2091,
  cvc: '123',
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

test('due work that failed is retried before work that is due later', async () => {
  await sandbox.call('POST', '/sandbox/clock', { rate: 1 });
  const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 5, capture: false });
  const id = body['id'] ?? '';
  await sandbox.pageFlow.submitCard(id, EASY);
  await admin.query(`UPDATE payments SET due_at = '2026-01-01'`);
  await admin.query('ALTER TABLE signing_codes RENAME TO unavailable');
  await sandbox.call('POST', '/sandbox/clock', { rate: 1 });
  await newCustomer();
  await admin.query('ALTER TABLE unavailable RENAME TO signing_codes');
  const path = `/v2/payment_intents/${id}`;
  await waitFor(async () => (await sandbox.call('GET', path)).body['status'] === 'unpaid', {
    timeoutMs: 10_000,
  });
});
