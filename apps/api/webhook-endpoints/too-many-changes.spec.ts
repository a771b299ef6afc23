import { instantFromMs } from '#kernel';
import { endpointAggregate } from '#webhook';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
const at = instantFromMs(Date.now());

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

const metadataOf = (correlationId: string) => ({
  correlationId,
  causationId: 'spec',
  actor: 'spec',
  traceparent: null,
});

const stored = async (id: string): Promise<number> => {
  const { rows } = await api.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM events WHERE stream_id = $1',
    [id],
  );
  return rows[0]?.n ?? 0;
};

const newEndpoint = async (key: string): Promise<{ id: string; path: string }> => {
  const { body } = await api.post('/v1/webhook-endpoints', key, { url: 'https://hooks.example/a' });
  const id = String(body['id']);
  return { id, path: `/v1/webhook-endpoints/${id}` };
};

/** Tests the endpoint until its stream has this number of events. */
const lengthen = async (id: string, events: number): Promise<void> => {
  const more = events - (await stored(id));
  await api.store.step(metadataOf(id), async (step) => {
    for (let n = 0; n < more; n += 1) {
      await step.execute(endpointAggregate, id, { type: 'TestEndpoint', at });
    }
  });
};

const refused = { status: 409, body: { code: 'too_many_changes' } };

test('a webhook endpoint with 2,000 events can only be read, disabled and deleted', async () => {
  const key = await api.newKey('endpoints');
  const { id, path } = await newEndpoint(key);
  await lengthen(id, 1_998);
  const change = (eventType: string) =>
    api.call('PATCH', path, { key, body: { eventTypes: [eventType] } });
  expect((await change('Order*')).status).toBe(200);
  expect((await change('Payment*')).status).toBe(200);
  expect(await change('Order*')).toMatchObject(refused);
  expect(await api.post(`${path}/test`, key)).toMatchObject(refused);
  expect(await api.post(`${path}/rotate-secret`, key, { revokeFormer: true })).toMatchObject(
    refused,
  );
  expect((await api.get(`${path}/secret`, key)).status).toBe(200);
  expect((await api.post(`${path}/disable`, key)).status).toBe(200);
  expect(await api.post(`${path}/enable`, key)).toMatchObject(refused);
  expect(await stored(id)).toBe(2_001);
  expect((await api.call('DELETE', path, { key })).status).toBe(200);
});
