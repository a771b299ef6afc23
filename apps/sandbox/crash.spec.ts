import { readFileSync } from 'node:fs';
import pg from 'pg';
import {
  createDatabase,
  developmentCertificate,
  freePort,
  type RunningApp,
  startProcess,
  type TestDatabase,
  waitFor,
} from '#testing';
import { TEST_CARDS } from './collection/banks/test-values.js';
import { basic, TEST_KEY } from './testing/harness.js';
import { type Receiver, startReceiver } from './testing/receiver.js';

const certificate = developmentCertificate();
let database: TestDatabase;
let receiver: Receiver;
let sandbox: RunningApp;

beforeAll(async () => {
  database = await createDatabase('sandbox');
  receiver = await startReceiver(certificate);
  const [port, tlsPort] = [await freePort(), await freePort()];
  sandbox = await startProcess({
    app: 'sandbox',
    port,
    env: {
      SANDBOX_DATABASE_URL: database.urlFor('sandbox'),
      SANDBOX_PORT: String(port),
      SANDBOX_TLS_PORT: String(tlsPort),
      SANDBOX_TEST_KEY: TEST_KEY,
      SANDBOX_PUBLIC_URL: `http://127.0.0.1:${port}`,
      SANDBOX_WEBHOOK_LOOPBACK: '1',
      SANDBOX_WEBHOOK_CA: certificate.caFile,
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
    },
  });
});
afterAll(async () => {
  await sandbox.stop();
  await receiver.close();
  await database.drop();
});

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: basic(TEST_KEY), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
};

const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
};

const EVENTS = 60;

test('no event is lost and every webhook attempt is counted when the process is killed while the clock moves', async () => {
  await post('/v2/webhooks', { url: receiver.url });
  for (let index = 0; index < EVENTS; index += 1) {
    await post('/v2/customers', { email: `payer${index}@example.test` });
  }
  const before = await post('/sandbox/clock', { rate: 1 });
  const move = post('/sandbox/clock', { advance: 'PT1H' }).catch(() => 'cut off');
  while (receiver.received.length < 10) await new Promise((resolve) => setTimeout(resolve, 2));
  await sandbox.kill9();
  expect(await move).toBe('cut off');
  await sandbox.restart();
  // The clock runs at 60 times real time instead of being moved, because interrupted attempts are
  // repeated only after their lease of 20 s of real time.
  await post('/sandbox/clock', { rate: 60 });
  await waitFor(
    async () => (await query(`SELECT FROM deliveries WHERE status <> 'delivered'`)).length === 0,
    { timeoutMs: 60_000, everyMs: 250 },
  );
  const after = await post('/sandbox/clock', { rate: 1 });
  expect(Date.parse(after['now'] ?? '')).toBeGreaterThan(Date.parse(before['now'] ?? ''));

  expect(await query('SELECT status, count(*)::int FROM deliveries GROUP BY status')).toEqual([
    { status: 'delivered', count: EVENTS },
  ]);
  const [log] = await query<{ attempts: number; interrupted: number }>(`
    SELECT count(*)::int AS attempts,
           count(*) FILTER (WHERE outcome = 'interrupted')::int AS interrupted
    FROM delivery_attempts`);
  const ids = receiver.received.map((hook) => (JSON.parse(hook.body) as { id: string }).id);
  expect(new Set(ids).size).toBe(EVENTS);
  // Only attempts that were in progress when the process was killed may have been sent twice.
  expect(log?.attempts).toBe(EVENTS + (log?.interrupted ?? 0));
  expect(ids.length).toBeLessThanOrEqual(log?.attempts ?? 0);
});

test('a card number entered on the page is stored in no table and no log line', async () => {
  const number = TEST_CARDS[0]?.value ?? '';
  const { id } = await post('/v2/payment_intents', { amount: 100 });
  const typed = { number, expMonth: 12, expYear: 2090, cvc: '987', name: 'Canary Payer' };
  const answer = await fetch(`${sandbox.url}/pay/${id}/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: sandbox.url },
    body: JSON.stringify(typed),
  });
  expect(answer.status).toBe(200);
  const tables = await query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) {
    const held = await query(`SELECT 1 FROM ${name} t WHERE t::text LIKE '%${number}%'`);
    expect([name, held]).toEqual([name, []]);
  }
  expect(await query('SELECT last4 FROM cards')).toEqual([{ last4: number.slice(-4) }]);
  expect(readFileSync(sandbox.logFile, 'utf8')).not.toContain(number);
});
