import { newId } from '#kernel';
import { DatabaseBusy, Wakes } from '#log';
import { createDatabase, gate, specPool, type TestDatabase } from '#testing';
import type { Pool } from 'pg';
import { type NewWebhook, WebhookStore } from './webhook-store.js';

let database: TestDatabase;
let pool: Pool;
let store: WebhookStore;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.urlFor('api'));
  store = new WebhookStore(pool, new Wakes());
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const webhook = (more: Partial<NewWebhook> = {}): NewWebhook => ({
  accountId: 'acc_1',
  eventId: newId('evt'),
  type: 'payment.authorized',
  intentId: newId('pi'),
  orderId: null,
  status: null,
  bodyBytes: 2,
  bodySha256: Buffer.from('ab'),
  ignored: null,
  ...more,
});

const transactionsOf = async (webhooks: readonly NewWebhook[]): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ xmin: string }>(
    'SELECT xmin::text FROM webhooks_received WHERE event_id = ANY ($1)',
    [webhooks.map(({ eventId }) => eventId)],
  );
  return rows.map(({ xmin }) => xmin);
};

test('concurrent webhooks are stored in one commit, each with the job that reads its intent', async () => {
  const all = [webhook(), webhook({ intentId: null }), webhook()];
  expect(await Promise.all(all.map((one) => store.store(one)))).toEqual([
    'stored',
    'stored',
    'stored',
  ]);
  const transactions = await transactionsOf(all);
  expect(transactions).toHaveLength(3);
  expect(new Set(transactions).size).toBe(1);
  const { rows } = await pool.query<{ intent_id: string }>(
    `SELECT intent_id FROM jobs WHERE kind = 'intent.read' AND state = 'ready'`,
  );
  expect(rows.map((row) => row.intent_id).toSorted()).toEqual(
    all.map(({ intentId }) => intentId ?? '').toSorted(),
  );
});

test('a webhook delivered twice is stored once, even concurrently', async () => {
  const one = webhook();
  expect(await Promise.all([store.store(one), store.store(one)])).toEqual(['stored', 'known']);
  expect(await store.store(one)).toBe('known');
  expect(await transactionsOf([one])).toHaveLength(1);
});

test('a webhook that cannot be stored does not prevent the storage of other webhooks', async () => {
  const [good, bad, other] = [webhook(), webhook({ type: 'a\u0000b' }), webhook()];
  const settled = await Promise.allSettled([good, bad, other].map((one) => store.store(one)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await transactionsOf([good, bad, other])).toHaveLength(2);
});

test('while the database does not respond, at most 2,000 webhooks wait, and others are rejected', async () => {
  const responds = gate();
  const query = async ({ values }: { values: readonly [string[], string[]] }) => {
    await responds.opened;
    const [accounts, events] = values;
    return { rows: accounts.map((account_id, i) => ({ account_id, event_id: events[i] })) };
  };
  const hanging = new WebhookStore({ query } as never, new Wakes());
  const stores = Array.from({ length: 3_000 }, () => hanging.store(webhook()));
  responds.open();
  const outcomes = await Promise.allSettled(stores);
  expect(outcomes.slice(0, 2_000).filter(({ status }) => status === 'rejected')).toEqual([]);
  for (const outcome of outcomes.slice(2_000)) {
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(DatabaseBusy) });
  }
  expect(await hanging.store(webhook())).toBe('stored');
});
