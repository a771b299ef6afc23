import type { StreamRef } from '#log';
import { instantFromMs, newId } from '#kernel';
import { encodeCloudEvent } from '#kafka';
import { merchantAggregate } from '#onboarding';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';
import { payOut } from '../payouts/payout.fixture.js';

let api: ApiFixture;
let platform: Awaited<ReturnType<ApiFixture['newPlatform']>>;
let orderId: string;
let paymentId: string;

beforeAll(async () => {
  api = await startApiFixture();
  platform = await api.newPlatform();
  orderId = String((await api.post('/v1/orders', platform.key, orderBody())).body['id']);
  paymentId = await api.openPayment(orderId);
});
afterAll(() => api.stop());

const pathOf = ({ streamType, streamId }: StreamRef, version: number | string): string =>
  `/v1/events/${streamType}/${streamId}/${version}`;

const read = async (path: string, key = platform.key) => {
  const answer = await fetch(`${api.http.url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const expectPublished = async (stream: StreamRef): Promise<void> => {
  const events = await api.store.readStream(stream, 0, 100);
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    const { status, headers, text } = await read(pathOf(stream, event.version));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/cloudevents\+json/);
    expect(headers.get('cache-control')).toBe('no-store');
    const { data, datacontenttype, ...attributes } = JSON.parse(text) as Record<string, unknown>;
    const message = encodeCloudEvent(event, { prefix: '' });
    const { traceparent: _, ...sent } = message.headers;
    expect(data).toEqual(JSON.parse(message.value));
    const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]);
    expect({ ...Object.fromEntries(named), 'content-type': datacontenttype }).toEqual(sent);
  }
};

test('each event of an order and its payment is returned in the form that the topics publish', async () => {
  await expectPublished({ streamType: 'order', streamId: orderId });
  await expectPublished({ streamType: 'payment', streamId: paymentId });
});

test('each event of an order and its payment names its platform and its merchant', async () => {
  for (const stream of [
    { streamType: 'order', streamId: orderId },
    { streamType: 'payment', streamId: paymentId },
  ] as const) {
    for (const { version } of await api.store.readStream(stream, 0, 100)) {
      const event = JSON.parse((await read(pathOf(stream, version))).text) as object;
      expect(event).toMatchObject({
        platformid: platform.platformId,
        merchantid: 'm1',
      });
    }
  }
});

test('events of payouts and merchants are returned in the form that the topics publish', async () => {
  const { payoutId } = await payOut(api, platform);
  const merchantId = newId('mer');
  await api.store.execute(
    merchantAggregate,
    merchantId,
    {
      type: 'DraftMerchant',
      platformId: platform.platformId,
      reference: 'ref',
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: instantFromMs(Date.now()),
    },
    { correlationId: merchantId, causationId: 'spec', actor: 'user:spec', traceparent: null },
  );
  await expectPublished({ streamType: 'payout', streamId: payoutId });
  await expectPublished({ streamType: 'merchant', streamId: merchantId });
});

test.each(['99', '0', '-1', '1.5', 'x', '01', '2147483648', '99999999999'])(
  'a request for the event version %s gets a 404 response',
  async (version) => {
    const { status, text } = await read(
      pathOf({ streamType: 'order', streamId: orderId }, version),
    );
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: 'event_not_found' });
  },
);

test('a request for an event that does not exist gets the same error code in a stream of the caller and in a stream of another platform', async () => {
  const other = await api.newPlatform();
  const paths = (['order', 'payment', 'payout', 'merchant'] as const).map((streamType) =>
    pathOf({ streamType, streamId: 'ord_none' }, 1),
  );
  for (const path of [...paths, '/v1/events/order/no-id-of-ours/1']) {
    expect(JSON.parse((await read(path)).text)).toMatchObject({ code: 'event_not_found' });
  }
  const foreign = await read(pathOf({ streamType: 'order', streamId: orderId }, 1), other.key);
  expect(foreign.status).toBe(404);
  expect(JSON.parse(foreign.text)).toMatchObject({ code: 'event_not_found' });
});

test('an event stream requested under the path of another stream type gets a 404 response', async () => {
  const { status } = await read(pathOf({ streamType: 'payment', streamId: orderId }, 1));
  expect(status).toBe(404);
});

test('a request for an unknown stream type gets the same 404 response as an unknown URL', async () => {
  const { text } = await read('/v1/events/parcel/ord_1/1');
  expect(JSON.parse(text)).toMatchObject({ code: 'route_not_found' });
});
