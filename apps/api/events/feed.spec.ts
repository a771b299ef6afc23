import { newId } from '#kernel';
import { LOG_START } from '#log';
import { waitFor } from '#testing';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';
import { Cursors } from './cursors.js';

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly platformid: string;
  readonly merchantid: string;
}

interface Page {
  readonly items: readonly FeedEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

const pageOf = async (key: string, query: Readonly<Record<string, string>> = {}): Promise<Page> => {
  const { status, body } = await api.get(
    `/v1/events?${new URLSearchParams(query).toString()}`,
    key,
  );
  expect(status).toBe(200);
  return body as unknown as Page;
};

/**
 * Reads the feed until it has `count` events: an open transaction of another spec on the same
 * database server may delay the readers of the event log.
 */
const feedWith = (key: string, count: number, query = {}): Promise<Page> =>
  waitFor(async () => {
    const page = await pageOf(key, query);
    return page.items.length >= count ? page : null;
  });

const place = async (key: string): Promise<string> =>
  String((await api.post('/v1/orders', key, orderBody())).body['id']);

const platformWithOrders = async (count: number) => {
  const { key, platformId } = await api.newPlatform();
  const orders: string[] = [];
  for (let n = 0; n < count; n += 1) orders.push(await place(key));
  return { key, platformId, orders };
};

const namesOf = ({ items }: Pick<Page, 'items'>): readonly string[] =>
  items.map(({ type }) => type.replace('payment-orchestrator.', ''));

/** Appends an event of a type that this release does not know. */
const writeNewer = (orderId: string): Promise<unknown> =>
  api.pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT stream_type, stream_id, 3, gen_random_uuid(), 'OrderTeleported', 1, data, metadata
       FROM events WHERE stream_id = $1 AND version = 2`,
    [orderId],
  );

const OF_AN_ORDER = ['OrderPlaced', 'OrderPaymentStarted', 'IntentRequested'];

test('the feed lists all events of the caller’s platform in the order of the log, and no events of another platform', async () => {
  const [own, other] = [await platformWithOrders(2), await platformWithOrders(1)];
  const page = await feedWith(own.key, 7);
  expect(namesOf(page)).toEqual(['ProviderAccountRegistered', ...OF_AN_ORDER, ...OF_AN_ORDER]);
  expect(page.hasMore).toBe(false);
  for (const { platformid, merchantid } of page.items) {
    expect({ platformid, merchantid }).toEqual({ platformid: own.platformId, merchantid: 'm1' });
  }
  expect(JSON.stringify(page)).not.toContain(other.orders[0]);
});

test('an event of the feed equals the event that is read by its id', async () => {
  const { key, orders } = await platformWithOrders(1);
  const { items } = await feedWith(key, 4);
  const { body } = await api.get(`/v1/events/order/${orders[0]}/1`, key);
  expect(items[1]).toEqual(body);
});

test('pages list each event once, and later events follow after the last cursor', async () => {
  const { key } = await platformWithOrders(1);
  const all = await feedWith(key, 4);
  const first = await pageOf(key, { limit: '3' });
  expect(first).toMatchObject({ items: all.items.slice(0, 3), hasMore: true });
  const second = await pageOf(key, { limit: '3', cursor: first.nextCursor });
  expect(second).toMatchObject({ items: all.items.slice(3), hasMore: false });
  const empty = await pageOf(key, { cursor: second.nextCursor });
  expect(empty).toMatchObject({ items: [], hasMore: false });
  await place(key);
  const later = await feedWith(key, 3, { cursor: empty.nextCursor });
  expect(namesOf(later)).toEqual(OF_AN_ORDER);
});

test('the feed returns no later event before an earlier event whose transaction is still running', async () => {
  const { key, orders } = await platformWithOrders(1);
  const { nextCursor } = await feedWith(key, 4);
  const running = await api.pool.connect();
  try {
    await running.query('BEGIN');
    await running.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       SELECT stream_type, stream_id, 100, gen_random_uuid(), type, schema_version, data, metadata
         FROM events WHERE stream_id = $1 AND version = 2`,
      [orders[0]],
    );
    await place(key);
    expect(await pageOf(key, { cursor: nextCursor })).toMatchObject({ items: [], hasMore: false });
    const { nextCursor: meanwhile } = await pageOf(key, { cursor: nextCursor });
    await running.query('COMMIT');
    const page = await feedWith(key, 4, { cursor: meanwhile });
    expect(namesOf(page)).toEqual(['OrderPaymentStarted', ...OF_AN_ORDER]);
  } finally {
    running.release();
  }
});

test('the feed ends before an event that only a newer release can read', async () => {
  const { key, orders } = await platformWithOrders(1);
  const { nextCursor } = await feedWith(key, 4);
  await place(key);
  await writeNewer(orders[0] ?? '');
  await place(key);
  // Once the later events of another platform can be read, all events of this test can be read.
  await feedWith((await platformWithOrders(1)).key, 4);
  const page = await pageOf(key, { cursor: nextCursor });
  expect(namesOf(page)).toEqual(OF_AN_ORDER);
  expect(page.hasMore).toBe(false);
  for (let next = page.nextCursor, reads = 0; reads < 2; reads += 1) {
    const later = await pageOf(key, { cursor: next });
    expect(later).toMatchObject({ items: [], hasMore: false });
    next = later.nextCursor;
  }
});

describe('filters of the feed', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await platformWithOrders(1));
    await feedWith(key, 4);
  });

  test.each([
    ['type=OrderPlaced', ['OrderPlaced']],
    ['type=OrderPlaced&type=IntentRequested', ['OrderPlaced', 'IntentRequested']],
    ['merchantId=m1&type=IntentRequested', ['IntentRequested']],
    ['merchantId=m2', []],
    ['since=2020-01-01T00:00:00Z&type=OrderPlaced', ['OrderPlaced']],
    ['since=2999-01-01T00:00:00Z', []],
  ])('%s', async (query, names) => {
    const { status, body } = await api.get(`/v1/events?${query}`, key);
    expect(status).toBe(200);
    expect(namesOf(body as unknown as Page)).toEqual(names);
  });

  test('the parameter `since` is compared with the business time of events, and older events are left out', async () => {
    const { key: own, orders } = await platformWithOrders(1);
    await feedWith(own, 4);
    const copy = (id: string, events: number, at: string) =>
      api.pool.query(
        `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                             metadata)
         SELECT stream_type, $2 || n, 1, gen_random_uuid(), type, schema_version,
                jsonb_set(data::jsonb, '{at}', to_jsonb($3::text))::json, metadata
           FROM events, generate_series(1, $4::int) n WHERE stream_id = $1 AND version = 1`,
        [orders[0], id, at, events],
      );
    // Appends more events than the feed reads for one page with a filter.
    for (let n = 1; n <= 11; n += 1) await copy(`old-${n}-`, 100, '2997-01-01T12:00:00.000Z');
    await copy('new-', 1, '2998-03-01T12:00:00.000Z');
    const page = await feedWith(own, 1, { since: '2998-03-01T12:00:00Z' });
    expect(namesOf(page)).toEqual(['OrderPlaced']);
    expect(namesOf(await pageOf(own, { since: '2998-03-01T12:00:01Z' }))).toEqual([]);
  });

  test.each(['type=OrderTeleported', 'since=yesterday', 'cursor=1-2', 'limit=0', 'limit=501'])(
    '%s is rejected and the error names the parameter',
    async (query) => {
      const { status, body } = await api.get(`/v1/events?${query}`, key);
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: [{ parameter: query.split('=')[0] }],
      });
    },
  );
});

test('the feed requires a key with the scope events:read', async () => {
  const { platformId } = await api.newPlatform();
  const key = await api.newKey(platformId, ['orders:read']);
  for (const path of ['/v1/events', '/v1/events/stream']) {
    expect(await api.get(path, key)).toMatchObject({
      status: 403,
      body: { code: 'scope_missing' },
    });
  }
});

describe('the stream of the feed', () => {
  const opened = async (key: string, { headers = {}, query = '' } = {}) => {
    const abort = new AbortController();
    const response = await fetch(`${api.http.url}/v1/events/stream${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: abort.signal,
    });
    return { response, abort };
  };

  type Opened = Awaited<ReturnType<typeof opened>>;

  /**
   * Reads the stream until `isEnough` returns true for the received text, then closes the stream.
   */
  const textUntil = async (
    { response, abort }: Opened,
    isEnough: (text: string) => boolean,
  ): Promise<string> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (isEnough(text)) break;
    }
    abort.abort();
    return text;
  };

  const FIRST_ID = /^id: (.*)\n\n/m;

  /** The id that the stream sends before its first event. */
  const firstId = async (key: string): Promise<string> =>
    FIRST_ID.exec(await textUntil(await opened(key), (text) => FIRST_ID.test(text)))?.[1] ?? '';

  /** Reads frames of the stream until `count` events have arrived. */
  const streamed = async (
    key: string,
    count: number,
    { headers = {}, query = '', whileOpen = async () => {} } = {},
  ): Promise<readonly { readonly id: string; readonly event: FeedEvent }[]> => {
    const stream = await opened(key, { headers, query });
    expect(stream.response.status).toBe(200);
    await whileOpen();
    const text = await textUntil(
      stream,
      (sofar) => sofar.split('\ndata: ').length > count && sofar.endsWith('\n\n'),
    );
    return [...text.matchAll(/^id: (.*)\nevent: .*\ndata: (.*)$/gm)].map(
      ([, id = '', data = '']) => ({ id, event: JSON.parse(data) as FeedEvent }),
    );
  };

  test('sends new events of the platform only', async () => {
    const [own, other] = [await platformWithOrders(0), await platformWithOrders(0)];
    await feedWith(own.key, 1);
    const events = await streamed(own.key, 3, {
      whileOpen: async () => {
        await place(other.key);
        await place(own.key);
      },
    });
    expect(namesOf({ items: events.map(({ event }) => event) })).toEqual(OF_AN_ORDER);
    for (const { event } of events) expect(event.platformid).toBe(own.platformId);
  });

  test('resumes after the last received event', async () => {
    const { key, platformId } = await platformWithOrders(1);
    const { items } = await feedWith(key, 4);
    const start = { query: `?cursor=${api.http.app.get(Cursors).textOf(platformId, LOG_START)}` };
    const received = await streamed(key, 4, start);
    expect(received.map(({ event }) => event)).toEqual(items);
    const headers = { 'last-event-id': received[1]?.id ?? '' };
    const later = await streamed(key, 2, { ...start, headers });
    expect(later.map(({ event }) => event)).toEqual(items.slice(2));
  });

  test('sends its position first, so that a client that reconnects misses no event', async () => {
    const { key } = await platformWithOrders(0);
    await feedWith(key, 1);
    const headers = { 'last-event-id': await firstId(key) };
    await place(key);
    const events = await streamed(key, 3, { headers });
    expect(namesOf({ items: events.map(({ event }) => event) })).toEqual(OF_AN_ORDER);
  });

  test('ends before an event that only a newer release can read', async () => {
    const { key, orders } = await platformWithOrders(1);
    const { nextCursor } = await feedWith(key, 4);
    await writeNewer(orders[0] ?? '');
    const { response } = await opened(key, { headers: { 'last-event-id': nextCursor } });
    expect(await response.text()).not.toContain('data:');
  });

  test('rejects an id that no stream sent', async () => {
    const { key } = await platformWithOrders(0);
    const { response } = await opened(key, { headers: { 'last-event-id': newId('evt') } });
    expect(response.status).toBe(422);
  });

  test('a platform may open five streams, and another one when a stream has ended', async () => {
    const { key } = await platformWithOrders(0);
    const streams: Opened[] = [];
    for (let n = 0; n < 5; n += 1) streams.push(await opened(key));
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect((await opened(key)).response.status).toBe(503);
    streams.pop()?.abort.abort();
    await waitFor(async () => {
      const next = await opened(key);
      if (next.response.status === 200) streams.push(next);
      return next.response.status === 200;
    });
    for (const { abort } of streams) abort.abort();
  });
});
