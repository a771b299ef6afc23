import { randomText } from '#kernel';
import { LogTail } from '#log';
import { waitFor } from '#testing';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});
afterAll(() => api.stop());

const place = (body: object, prefer: string, idempotencyKey = randomText(16)): Promise<Reply> =>
  api.call('POST', '/v1/orders', { key, body, idempotencyKey, headers: { prefer } });

/** Creates the page of the order with this reference as soon as the order is placed. */
const openPage = async (reference: unknown): Promise<void> => {
  const placed = await waitFor(async () => {
    const { rows } = await api.pool.query<{ id: string }>(
      `SELECT stream_id AS id FROM events WHERE type = 'OrderPlaced' AND data ->> 'reference' = $1`,
      [reference],
    );
    return rows[0];
  });
  await api.openPayment(placed.id);
};

const pageUrlOf = ({ body }: Reply): unknown =>
  (body['payment'] as { readonly pageUrl: unknown }).pageUrl;

describe('a request to place an order with Prefer: wait', () => {
  test('gets the URL of the payment page, once the provider has created the page', async () => {
    const order = orderBody();
    const beganMs = performance.now();
    const answer = place(order, 'respond-async, wait=10');
    await openPage(order['reference']);
    const reply = await answer;
    expect(performance.now() - beganMs).toBeLessThan(9_000);
    expect(reply.status).toBe(201);
    expect(pageUrlOf(reply)).toBe('https://pay.test/p');
    expect(reply.headers.get('preference-applied')).toBe('wait=10');
    expect(reply.headers.get('location')).toBe(`/v1/orders/${String(reply.body['id'])}`);
  });

  test('gets the order without a page if the provider has not created the page when the requested wait ends', async () => {
    const beganMs = performance.now();
    const reply = await place(orderBody(), 'wait=1');
    expect(performance.now() - beganMs).toBeGreaterThan(990);
    expect(reply.status).toBe(201);
    expect(reply.body['payment']).toMatchObject({ status: 'requested', pageUrl: null });
  });

  test('gets the payment page when the request is repeated after the provider has created the page', async () => {
    const order = orderBody();
    const first = await place(order, 'wait=0', 'repeated');
    expect(pageUrlOf(first)).toBeNull();
    await api.openPayment(String(first.body['id']));
    const again = await place(order, 'wait=10', 'repeated');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({ id: first.body['id'], payment: { status: 'open' } });
    expect(pageUrlOf(again)).toBe('https://pay.test/p');
  });

  test.each(['wait=eleven', 'wait=11', 'wait=', 'wait=-1', 'wait=1.5'])(
    'is rejected before the order is placed if the preference is %s',
    async (prefer) => {
      const order = orderBody();
      const reply = await place(order, prefer);
      expect(reply).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ parameter: 'Prefer' }] },
      });
      expect((await api.post('/v1/orders', key, order)).status).toBe(201);
    },
  );

  test('gets an immediate response when the process stops', async () => {
    const own = await startApiFixture();
    const { key: ownKey } = await own.newPlatform();
    const reply = own.call('POST', '/v1/orders', {
      key: ownKey,
      body: orderBody(),
      idempotencyKey: randomText(16),
      headers: { prefer: 'wait=10' },
    });
    await waitFor(async () => {
      const { rows } = await own.pool.query(`SELECT FROM events WHERE type = 'OrderPlaced'`);
      return rows.length > 0;
    });
    const beganMs = performance.now();
    const stopped = own.stop();
    expect((await reply).status).toBe(201);
    await stopped;
    expect(performance.now() - beganMs).toBeLessThan(8_000);
  });

  test('gets an immediate response when the process began to stop just before the wait', async () => {
    const own = await startApiFixture();
    const { key: ownKey } = await own.newPlatform();
    own.http.app.get(LogTail).onModuleDestroy();
    const beganMs = performance.now();
    const idempotencyKey = randomText(16);
    const headers = { prefer: 'wait=10' };
    const options = { key: ownKey, body: orderBody(), idempotencyKey, headers };
    expect((await own.call('POST', '/v1/orders', options)).status).toBe(201);
    expect(performance.now() - beganMs).toBeLessThan(8_000);
    await own.stop();
  });
});

test('without a Prefer header, the response does not wait until the payment page exists', async () => {
  const reply = await api.post('/v1/orders', key, orderBody());
  expect(reply.headers.get('preference-applied')).toBeNull();
  expect(pageUrlOf(reply)).toBeNull();
});
