import { merchantAggregate } from '#onboarding';
import { WorkerBench } from '../worker.fixture.js';
import { retentionDays } from './retention-settings.js';
import { CHUNK_ROWS, Retention } from './retention.js';

let bench: WorkerBench;
let retention: Retention;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  retention = new Retention(bench.pool, retentionDays());
});
beforeEach(() =>
  bench.admin.query(
    'TRUNCATE idempotency_keys, webhooks_received, webhook_endpoints, webhook_deliveries, jobs',
  ),
);
afterAll(() => bench.close());

const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);

const answer = (key: string, daysAgo: number) =>
  bench.admin.query(
    `INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body, created_at)
     VALUES ('plat_1', $1, 'f', 200, '{}', $2)`,
    [key, ago(daysAgo)],
  );

const webhook = (eventId: string, receivedDaysAgo: number, handledDaysAgo: number | null) =>
  bench.admin.query(
    `INSERT INTO webhooks_received
       (account_id, event_id, type, body_bytes, body_sha256, received_at, handled_at)
     VALUES ('acc_1', $1, 'payment.authorized', 0, '', $2, $3)`,
    [eventId, ago(receivedDaysAgo), handledDaysAgo === null ? null : ago(handledDaysAgo)],
  );

const call = (kind: string, state: string, daysAgo: number) =>
  bench.admin.query(
    `INSERT INTO jobs (key, kind, subject_id, account_id, state, due_at, updated_at)
     VALUES (gen_random_uuid(), $1, 'pay_1', 'acc_1', $2, 'epoch', $3)`,
    [kind, state, ago(daysAgo)],
  );

const endpoint = (id: string, status: string) =>
  bench.admin.query(
    `INSERT INTO webhook_endpoints (id, platform_id, host, event_types, status, details_ref,
                                    created_at, epoch, transaction_id)
     VALUES ($1, 'plat_1', 'shop.example', '{*}', $2, 'det_1', now(), 1, '1')`,
    [id, status],
  );

/** Inserts a delivery of a merchant's event. */
const delivery = (id: string, endpointId: string, state: string, daysAgo: number) =>
  bench.admin.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type,
                                     stream_type, stream_id, version, state, created_at)
     VALUES ($1, $2, 'plat_1', gen_random_uuid(), 'MerchantDrafted', 'merchant', 'mer_1', 1, $3, $4)`,
    [id, endpointId, state, ago(daysAgo)],
  );

const left = async (table: string, column: string): Promise<string[]> =>
  (await bench.rows<{ id: string }>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`)).map(
    ({ id }) => id,
  );

test('the retention process keeps the stored responses of idempotency keys for seven days', async () => {
  await answer('old', 7.1);
  await answer('young', 6.9);
  expect(await retention.round()).toBe('idle');
  expect(await left('idempotency_keys', 'key')).toEqual(['young']);
});

test('the retention process keeps handled webhooks for thirty days, and open webhooks without limit', async () => {
  await webhook('handled long ago', 32, 30.1);
  await webhook('handled late', 60, 29.9);
  await webhook('open', 60, null);
  await retention.round();
  expect(await left('webhooks_received', 'event_id')).toEqual(['handled late', 'open']);
});

test('the retention process keeps ended provider calls for thirty days, and open calls without limit', async () => {
  await call('long done', 'done', 30.1);
  await call('just done', 'done', 29.9);
  for (const state of ['ready', 'running', 'waiting', 'stuck']) await call(state, state, 60);
  await retention.round();
  expect(await left('jobs', 'kind')).toEqual(['just done', 'ready', 'running', 'stuck', 'waiting']);
});

test('the retention process keeps waiting deliveries to enabled endpoints without limit, others for thirty days', async () => {
  await endpoint('on', 'enabled');
  await endpoint('off', 'disabled');
  for (const state of ['delivered', 'skipped', 'pending']) await delivery(state, 'on', state, 30.1);
  await delivery('held', 'off', 'pending', 30.1);
  await delivery('young', 'off', 'pending', 29.9);
  await retention.round();
  expect(await left('webhook_deliveries', 'id')).toEqual(['pending', 'young']);
  expect(await left('jobs', 'key')).toEqual([]);
});

test('when the retention process deletes a failed delivery, the later deliveries of its stream are sent', async () => {
  await endpoint('on', 'enabled');
  await delivery('failed', 'on', 'failed', 30.1);
  await delivery('waiting', 'on', 'pending', 30.1);
  await retention.round();
  expect(await left('webhook_deliveries', 'id')).toEqual(['waiting']);
  expect(await left('jobs', 'key')).toEqual(['on mer_1']);
});

test('deliveries are stored for four days even if the setting is shorter', () => {
  process.env['RETENTION_WEBHOOKS_DAYS'] = '1';
  expect(retentionDays()).toMatchObject({ webhooks: 1, deliveries: 4 });
  delete process.env['RETENTION_WEBHOOKS_DAYS'];
});

test('the retention process deletes merchant details after one day if no event refers to them', async () => {
  const details = (ref: string, merchantId: string, daysAgo: number) =>
    bench.admin.query(
      `INSERT INTO merchant_details (ref, merchant_id, sealed, created_at) VALUES ($1, $2, '', $3)`,
      [ref, merchantId, ago(daysAgo)],
    );
  await bench.store.execute(
    merchantAggregate,
    'mer_1',
    {
      type: 'DraftMerchant',
      platformId: 'plat_1',
      reference: 'r',
      mode: 'test',
      firstTerminal: null,
      detailsRef: 'named',
      at: bench.clock.now(),
    },
    bench.metadata('mer_1'),
  );
  await details('named', 'mer_1', 60);
  await details('never named', 'mer_1', 1.1);
  await details('without owner', 'mer_2', 1.1);
  await details('being drafted', 'mer_3', 0.9);
  await retention.round();
  expect(await left('merchant_details', 'ref')).toEqual(['being drafted', 'named']);
});

test('the retention process deletes the stored URL and secret after two days if their webhook endpoint was never created', async () => {
  for (const days of [1.1, 2.1]) {
    await bench.admin.query(
      `INSERT INTO webhook_details (ref, endpoint_id, sealed, created_at)
       VALUES ($1, 'whe_1', '', $2)`,
      [`${days} days old`, ago(days)],
    );
  }
  await retention.round();
  expect(await left('webhook_details', 'ref')).toEqual(['1.1 days old']);
});

test('the retention process deletes expired rows in small chunks, the oldest first', async () => {
  await bench.admin.query(
    `INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body, created_at)
     SELECT 'plat_1', n::text, 'f', 200, '{}', now() - interval '8 days' - n * interval '1 min'
       FROM generate_series(1, $1::int) n`,
    [2 * CHUNK_ROWS + 1],
  );
  expect(await retention.round()).toBe('more');
  const keys = await left('idempotency_keys', 'key::int');
  expect(keys).toHaveLength(CHUNK_ROWS + 1);
  expect(Number(keys.at(-1))).toBe(CHUNK_ROWS + 1);
  expect(await retention.round()).toBe('more');
  expect(await retention.round()).toBe('idle');
  expect(await left('idempotency_keys', 'key')).toEqual([]);
});

test('the retention process skips a locked row without waiting for it', async () => {
  await answer('held', 8);
  await answer('free', 8);
  const client = await bench.admin.connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM idempotency_keys WHERE key = 'held' FOR UPDATE`);
  await retention.round();
  await client.query('ROLLBACK');
  client.release();
  expect(await left('idempotency_keys', 'key')).toEqual(['held']);
  await retention.round();
  expect(await left('idempotency_keys', 'key')).toEqual([]);
});

test.each([
  ['idempotency_keys', `created_at < now()`],
  ['webhooks_received', `handled_at IS NOT NULL AND handled_at < now()`],
  ['jobs', `state = 'done' AND updated_at < now()`],
  ['merchant_details', `created_at < now()`],
])('the retention process finds the expired rows of %s by an index', async (table, condition) => {
  const client = await bench.admin.connect();
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
    const column = /(\w+) </.exec(condition)?.[1];
    const { rows } = await client.query(
      `EXPLAIN SELECT FROM ${table} WHERE ${condition} ORDER BY ${column} LIMIT 500`,
    );
    expect(JSON.stringify(rows)).toMatch(/Index (?:Only )?Scan using \w+_by_age/);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a retention setting that is not a number of days is rejected', () => {
  process.env['RETENTION_JOBS_DAYS'] = '0';
  expect(() => retentionDays()).toThrow('RETENTION_JOBS_DAYS must be a whole number from 1');
  delete process.env['RETENTION_JOBS_DAYS'];
});
