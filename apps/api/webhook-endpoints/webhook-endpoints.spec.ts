import { randomText } from '#kernel';
import { waitFor } from '#testing';
import { type ApiFixture, type Reply, startApiFixture } from '../api.fixture.js';

const ENDPOINTS = '/v1/webhook-endpoints';
const URL = 'https://hooks.example/payments?token=secret-token';

let api: ApiFixture;
let key: string;
let platformId: string;

beforeAll(async () => {
  api = await startApiFixture();
});
beforeEach(async () => {
  platformId = `p-${randomText(8)}`;
  key = await api.newKey(platformId);
});
afterAll(() => api.stop());

const create = (fields: object = {}, idempotencyKey?: string): Promise<Reply> =>
  api.post(ENDPOINTS, key, { url: URL, ...fields }, idempotencyKey);

const created = async (fields: object = {}): Promise<string> => {
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  return `${ENDPOINTS}/${String(body['id'])}`;
};

const secretOf = async (path: string) => (await api.get(`${path}/secret`, key)).body;

/** Inserts a delivery of the endpoint's first event, with its job. */
const deliver = async (path: string, state: string): Promise<string> => {
  const id = `whm_${randomText(24)}`;
  const endpointId = path.slice(ENDPOINTS.length + 1);
  await api.pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type, stream_type,
                                     stream_id, version, state)
     SELECT $1, $2, $3, event_id, type, stream_type, stream_id, version, $4 FROM events
      WHERE stream_id = $2 AND version = 1`,
    [id, endpointId, platformId, state],
  );
  return id;
};

const jobOf = async (path: string): Promise<string | undefined> => {
  const id = path.slice(ENDPOINTS.length + 1);
  const { rows } = await api.pool.query<{ state: string }>(
    `SELECT state FROM jobs WHERE kind = 'webhook.deliver' AND key = $1 || ' ' || $1`,
    [id],
  );
  return rows[0]?.state;
};

describe('a new webhook endpoint', () => {
  test('receives all events unless the request restricts them', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${ENDPOINTS}/${String(body['id'])}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^whe_/) as unknown,
      host: 'hooks.example',
      eventTypes: ['*'],
      merchantId: null,
      status: 'enabled',
      disabledReason: null,
    });
    const { body: other } = await create({ eventTypes: ['Order*', 'OrderPaid'], merchantId: 'm1' });
    expect(other).toMatchObject({ eventTypes: ['Order*', 'OrderPaid'], merchantId: 'm1' });
  });

  test('is created once when the request is repeated', async () => {
    const idempotencyKey = randomText(16);
    const [first, again] = [await create({}, idempotencyKey), await create({}, idempotencyKey)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await api.get(ENDPOINTS, key);
    expect(body['items']).toHaveLength(1);
  });

  test('has its URL and its secret in no event and in no stored response', async () => {
    const { secret } = await secretOf(await created());
    expect(secret).toMatch(/^whsec_/);
    const { rows } = await api.pool.query<{ text: string }>(
      `SELECT data::text || metadata::text AS text FROM events WHERE stream_type = 'webhook_endpoint'
       UNION ALL SELECT body::text FROM idempotency_keys UNION ALL SELECT sealed FROM webhook_details`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { text } of rows) {
      expect(text).not.toContain('secret-token');
      expect(text).not.toContain(String(secret));
    }
  });

  test('is published as an event of its platform', async () => {
    await created();
    const items = await waitFor(async () => {
      const { body } = await api.get('/v1/events', key);
      const events = body['items'] as readonly { readonly type: string }[];
      return events.length > 0 ? events : null;
    });
    expect(items.map(({ type }) => type)).toEqual(['payment-orchestrator.WebhookEndpointCreated']);
  });

  test.each([
    [{ url: 'http://hooks.example/' }, '#/url'],
    [{ url: 'https://127.0.0.1/' }, '#/url'],
    [{ url: 'https://user:pass@hooks.example/' }, '#/url'],
    [{ url: 7 }, '#/url'],
    [{ eventTypes: [] }, '#/eventTypes'],
    [{ eventTypes: ['Unknown*'] }, '#/eventTypes'],
    [{ merchantId: 'not a merchant' }, '#/merchantId'],
    [{ other: 1 }, '#/other'],
  ])('is refused with %o', async (fields, pointer) => {
    const { status, body } = await create(fields);
    expect(status).toBe(422);
    const [error] = body['errors'] as readonly { readonly pointer: string }[];
    expect(error?.pointer).toMatch(new RegExp(`^${pointer}`));
    expect((await api.get(ENDPOINTS, key)).body['items']).toEqual([]);
  });

  test('is refused when the platform already has 20 webhook endpoints', async () => {
    for (let n = 0; n < 20; n += 1) await created();
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: 'too_many_webhook_endpoints' },
    });
  });
});

describe('a webhook endpoint', () => {
  test('keeps its secret when its URL changes, and all other fields when one field changes', async () => {
    const path = await created({ eventTypes: ['Order*'], merchantId: 'm1' });
    const { secret } = await secretOf(path);
    const url = 'https://other.example/hook';
    const changed = await api.call('PATCH', path, { key, body: { url } });
    expect(changed.body).toMatchObject({ host: 'other.example', eventTypes: ['Order*'] });
    expect(await secretOf(path)).toEqual({ url, secret, formerSecret: null });
    const all = await api.call('PATCH', path, { key, body: { merchantId: null } });
    expect(all.body).toMatchObject({ merchantId: null, eventTypes: ['Order*'] });
    expect((await api.get(path, key)).body).toMatchObject({
      host: 'other.example',
      merchantId: null,
      failedDeliveries: 0,
      failingSince: null,
    });
  });

  test('is not changed by its present values, and keeps its secret', async () => {
    const path = await created();
    const before = await secretOf(path);
    for (const body of [{ url: URL, eventTypes: ['*'], merchantId: null }, { url: URL }, {}]) {
      expect((await api.call('PATCH', path, { key, body })).status).toBe(200);
    }
    expect(await secretOf(path)).toEqual(before);
    const { rows } = await api.pool.query(
      `SELECT type FROM events WHERE stream_id = $1
        UNION ALL SELECT ref FROM webhook_details WHERE endpoint_id = $1`,
      [path.slice(ENDPOINTS.length + 1)],
    );
    expect(rows).toHaveLength(2);
  });

  test('has two secrets after a rotation', async () => {
    const path = await created();
    const { secret } = await secretOf(path);
    expect((await api.post(`${path}/rotate-secret`, key)).status).toBe(200);
    const after = await secretOf(path);
    expect(after).toMatchObject({ url: URL, formerSecret: secret });
    expect(after['secret']).not.toBe(secret);
    expect(await api.post(`${path}/rotate-secret`, key)).toMatchObject({
      status: 409,
      body: { code: 'webhook_secret_rotating' },
    });
    expect(await secretOf(path)).toEqual(after);
  });

  test('has only the new secret if the rotation revokes the former ones', async () => {
    const path = await created();
    await api.post(`${path}/rotate-secret`, key);
    const before = await secretOf(path);
    const revoked = await api.post(`${path}/rotate-secret`, key, { revokeFormer: true });
    expect(revoked.status).toBe(200);
    const after = await secretOf(path);
    expect(after['formerSecret']).toBeNull();
    expect([before['secret'], before['formerSecret']]).not.toContain(after['secret']);
  });

  test('can be disabled, enabled, tested and deleted by its platform', async () => {
    const path = await created();
    const disabled = await api.post(`${path}/disable`, key);
    expect(disabled.body).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
    expect(await api.post(`${path}/test`, key)).toMatchObject({
      status: 409,
      body: { code: 'webhook_endpoint_disabled' },
    });
    expect((await api.post(`${path}/enable`, key)).body).toMatchObject({ status: 'enabled' });
    expect((await api.post(`${path}/test`, key)).status).toBe(200);
    expect((await api.call('DELETE', path, { key })).status).toBe(200);
    for (const suffix of ['', '/secret']) {
      expect((await api.get(`${path}${suffix}`, key)).status).toBe(404);
    }
    expect((await api.post(`${path}/test`, key)).status).toBe(404);
    expect((await api.get(ENDPOINTS, key)).body['items']).toEqual([]);
  });
});

describe('a webhook delivery', () => {
  test('is listed with its state, and shows its event and its attempts', async () => {
    const id = await deliver(await created(), 'pending');
    const { status, body } = await api.get(`/v1/webhook-deliveries/${id}`, key);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, state: 'pending', attempts: [], version: 1 });
    const { body: page } = await api.get('/v1/webhook-deliveries?state=pending', key);
    expect(page['items']).toMatchObject([{ id, state: 'pending', attempts: 0 }]);
  });

  test.each(['pending', 'delivered', 'failed', 'skipped'])(
    'a delivery that is %s can be sent again',
    async (state) => {
      const path = await created();
      const id = await deliver(path, state);
      const delivery = `/v1/webhook-deliveries/${id}`;
      const idempotencyKey = randomText(16);
      const again = () => api.post(`${delivery}/redeliver`, key, {}, idempotencyKey);
      expect((await again()).body).toEqual({ id });
      expect((await api.get(delivery, key)).body).toMatchObject({
        state: 'pending',
        endedAt: null,
      });
      expect(await jobOf(path)).toBe('ready');
      await api.pool.query(`UPDATE webhook_deliveries SET state = 'delivered' WHERE id = $1`, [id]);
      expect((await again()).headers.get('idempotency-replayed')).toBe('true');
      expect((await api.get(delivery, key)).body).toMatchObject({ state: 'delivered' });
    },
  );

  test('is sent again by a request for a period only if the endpoint, the period and the delivery’s state match', async () => {
    const [path, other] = [await created(), await created()];
    await deliver(path, 'failed');
    await deliver(other, 'delivered');
    const period = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const again = `${path}/redeliveries`;
    const none = { requested: 0, nextFrom: null };
    expect((await api.post(again, key, { ...period, states: ['delivered'] })).body).toEqual(none);
    const before = { from: '2025-01-01T00:00:00Z', to: period.from };
    expect((await api.post(again, key, before)).body).toEqual(none);
    expect((await api.post(again, key, period)).body).toEqual({ requested: 1, nextFrom: null });
    expect([await jobOf(path), await jobOf(other)]).toEqual(['ready', undefined]);
  });

  test('a delivery that is pending or failed is sent by a request for a period; a discarded delivery only if the request names that state', async () => {
    const period = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const requested = async (state: string, fields: object = {}) => {
      const path = await created();
      await deliver(path, state);
      const { body } = await api.post(`${path}/redeliveries`, key, { ...period, ...fields });
      return body['requested'];
    };
    expect(await requested('pending')).toBe(1);
    expect(await requested('failed')).toBe(1);
    expect(await requested('skipped')).toBe(0);
    expect(await requested('skipped', { states: ['skipped'] })).toBe(1);
    expect(await requested('pending', { states: ['pending'] })).toBe(1);
  });

  test.each([
    { from: 'yesterday', to: '2026-01-01T00:00:00Z' },
    { from: '2026-W10-1T00:00:00Z', to: '2027-01-01T00:00:00Z' },
    { from: '2026-01-01T00:00:00', to: '2027-01-01T00:00:00Z' },
    { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    { from: '2026-02-30T00:00:00Z', to: '2027-01-01T00:00:00Z' },
    { from: '2026-01-01T00:00:00Z', to: '2026-13-45T99:99Z' },
    { from: '2026-01-01T00:00:00Z', to: '2026-02-29T00:00:00Z' },
  ])('is not sent again for the period %o', async (period) => {
    expect((await api.post(`${await created()}/redeliveries`, key, period)).status).toBe(422);
  });

  test('is not sent again while its endpoint is disabled', async () => {
    const path = await created();
    const id = await deliver(path, 'failed');
    await api.post(`${path}/disable`, key);
    expect(await api.post(`/v1/webhook-deliveries/${id}/redeliver`, key)).toMatchObject({
      status: 409,
      body: { code: 'webhook_endpoint_disabled' },
    });
  });

  test('can be discarded unless it has succeeded', async () => {
    const path = await created();
    for (const state of ['pending', 'failed', 'skipped']) {
      await api.pool.query('DELETE FROM webhook_deliveries');
      const delivery = `/v1/webhook-deliveries/${await deliver(path, state)}`;
      expect((await api.post(`${delivery}/discard`, key)).status).toBe(200);
      expect((await api.get(delivery, key)).body).toMatchObject({ state: 'skipped' });
    }
    await api.pool.query('DELETE FROM webhook_deliveries');
    const delivered = `/v1/webhook-deliveries/${await deliver(path, 'delivered')}`;
    expect(await api.post(`${delivered}/discard`, key)).toMatchObject({
      status: 409,
      body: { code: 'delivery_succeeded' },
    });
  });
});

test('the events of a deleted webhook endpoint can still be read', async () => {
  const path = await created();
  await api.call('DELETE', path, { key });
  const id = path.slice(ENDPOINTS.length + 1);
  const { status, body } = await api.get(`/v1/events/webhook_endpoint/${id}/2`, key);
  expect(status).toBe(200);
  expect(body).toMatchObject({ type: 'payment-orchestrator.WebhookEndpointDeleted' });
});
