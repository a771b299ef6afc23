import { setTimeout as delay } from 'node:timers/promises';
import { instantFromMs, newEventId, newId } from '#kernel';
import { orderAggregate } from '#order';
import { ApiKeyStore } from '#platform';
import { countStatements, waitFor } from '#testing';
import { Pool } from 'pg';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});

afterAll(() => api.stop());

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly type: string;
    readonly subjectId: string;
    readonly version: number;
  };
}

/** A subscriber that behaves like a browser: it reads the stream and stores the last event id. */
class Subscriber {
  readonly received: ReceivedEvent[] = [];
  ended = false;
  private readonly abort = new AbortController();

  constructor(
    readonly orderId: string,
    private readonly lastEventId?: string,
    private readonly ownKey = key,
  ) {}

  async start(): Promise<this> {
    const response = await fetch(`${api.http.url}/v1/orders/${this.orderId}/events`, {
      headers: {
        authorization: `Bearer ${this.ownKey}`,
        ...(this.lastEventId === undefined ? {} : { 'last-event-id': this.lastEventId }),
      },
      signal: this.abort.signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    void this.read(response);
    return this;
  }

  stop(): void {
    this.abort.abort();
  }

  has(count: number): Promise<unknown> {
    return waitFor(() => this.received.length >= count);
  }

  get types(): readonly string[] {
    return this.received.map(({ type }) => type);
  }

  private async read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) this.take(part);
      }
    } catch (error) {
      if (!this.abort.signal.aborted) throw error;
    }
    this.ended = true;
  }

  private take(frame: string): void {
    const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    if (id === undefined || type === undefined || data === undefined) return;
    this.received.push({ id, type, data: JSON.parse(data) as ReceivedEvent['data'] });
  }
}

const place = async (): Promise<string> => {
  const { body } = await api.post('/v1/orders', key, orderBody());
  return String(body['id']);
};

test('the timeline lists all events of an order and its payments', async () => {
  const id = await place();
  const paymentId = await api.openPayment(id);
  const { status, body } = await api.get(`/v1/orders/${id}/timeline`, key);
  expect(status).toBe(200);
  const items = body['items'] as { type: string; subjectId: string; version: number }[];
  expect(items.map(({ type, subjectId, version }) => [type, subjectId, version])).toEqual([
    ['OrderPlaced', id, 1],
    ['OrderPaymentStarted', id, 2],
    ['IntentRequested', paymentId, 1],
    ['IntentCreated', paymentId, 2],
  ]);
});

test('an event stream sends the timeline, then new events as they occur', async () => {
  const id = await place();
  const subscriber = await new Subscriber(id).start();
  await subscriber.has(3);
  expect(subscriber.types).toEqual(['OrderPlaced', 'OrderPaymentStarted', 'IntentRequested']);
  await api.openPayment(id);
  await subscriber.has(4);
  const { body } = await api.get(`/v1/orders/${id}/timeline`, key);
  expect(subscriber.received.map(({ data }) => data)).toEqual(body['items']);
  subscriber.stop();
});

test('a subscriber that reconnects resumes after its last event', async () => {
  const id = await place();
  await api.openPayment(id);
  const first = await new Subscriber(id).start();
  await first.has(4);
  first.stop();
  const resumed = await new Subscriber(id, first.received[1]?.id).start();
  await resumed.has(2);
  const dataOf = (received: readonly ReceivedEvent[]) => received.map(({ data }) => data);
  expect(dataOf(resumed.received)).toEqual(dataOf(first.received.slice(2)));
  await api.post(`/v1/orders/${id}/cancel`, key);
  await resumed.has(4);
  expect(resumed.types.slice(-2)).toEqual(['OrderCancellationRequested', 'CancelRequested']);
  resumed.stop();
});

test('a subscriber of an order receives no events of other orders', async () => {
  const [mine, other] = [await place(), await place()];
  const subscriber = await new Subscriber(mine).start();
  await api.openPayment(other);
  await api.openPayment(mine);
  await subscriber.has(4);
  const text = JSON.stringify(subscriber.received);
  expect(text).not.toContain(other);
  subscriber.stop();
});

test('a subscriber receives each event once and in log order, even if concurrent transactions commit in a different order', async () => {
  const id = await place();
  const writing = (async () => {
    for (let n = 0; n < 40; n += 1) {
      const at = instantFromMs(Date.now());
      const metadata = {
        correlationId: id,
        causationId: 'spec',
        actor: 'saga:checkout',
        traceparent: null,
      };
      const command = { type: 'StartPayment', paymentId: newId('pay'), at } as const;
      await api.store.execute(orderAggregate, id, command, metadata);
      await delay(5);
    }
  })();
  const subscribers: Subscriber[] = [];
  for (let n = 0; n < 12; n += 1) {
    subscribers.push(await new Subscriber(id).start());
    await delay(15);
  }
  await writing;
  for (const subscriber of subscribers) {
    await subscriber.has(43);
    const versions = subscriber.received
      .filter(({ data }) => data.subjectId === id)
      .map(({ data }) => data.version);
    expect(versions).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
    subscriber.stop();
  }
});

test('all subscribers share one reader of the event log, which stops when the last subscriber disconnects', async () => {
  const reads = countStatements(api.http.app.get(Pool), 'read-after');
  /** How often the log is read within a moment after a commit. */
  const readsAfterCommit = async (): Promise<number> => {
    const before = reads();
    await place();
    await delay(500);
    return reads() - before;
  };
  const id = await place();
  const subscribers = await Promise.all(
    Array.from({ length: 20 }, () => new Subscriber(id).start()),
  );
  await Promise.all(subscribers.map((subscriber) => subscriber.has(1)));
  const read = await readsAfterCommit();

  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(subscribers.length);
  for (const subscriber of subscribers) subscriber.stop();
  await waitFor(async () => {
    const metrics = await (await fetch(`${api.http.internalUrl}/metrics`)).text();
    return /^event_streams_open 0$/m.test(metrics);
  });
  await waitFor(async () => (await readsAfterCommit()) === 0);
});

describe('the event stream opened with an API key', () => {
  const keyStore = () => new ApiKeyStore(api.pool);
  const withKeyOfItsOwn = async () => {
    const { platformId, key: itsKey } = await api.newPlatform();
    const placed = await api.post('/v1/orders', itsKey, orderBody());
    const id = String(placed.body['id']);
    const subscriber = await new Subscriber(id, undefined, itsKey).start();
    await subscriber.has(3);
    return { id, subscriber, platformId, itsKey, prefix: itsKey.slice(0, 15) };
  };

  test('ends within a second after its key was revoked', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, subscriber, prefix } = await withKeyOfItsOwn();
      await keyStore().revoke(prefix);
      await delay(1_000);
      await api.openPayment(id);
      await waitFor(() => subscriber.ended);
      expect(subscriber.types).toEqual(['OrderPlaced', 'OrderPaymentStarted', 'IntentRequested']);
    }
  });

  test('ends after the revocation of its key even if no event occurs', async () => {
    const { subscriber, prefix } = await withKeyOfItsOwn();
    await keyStore().revoke(prefix);
    await waitFor(() => subscriber.ended);
  });

  test('ends when its key expires', async () => {
    const { subscriber, prefix } = await withKeyOfItsOwn();
    await api.pool.query('UPDATE api_keys SET expires_at = now() WHERE prefix = $1', [prefix]);
    await waitFor(() => subscriber.ended);
  });

  test('cannot be reopened with a revoked key that is still cached', async () => {
    const { id, subscriber, prefix, itsKey } = await withKeyOfItsOwn();
    await keyStore().revoke(prefix);
    await waitFor(() => subscriber.ended);
    const response = await fetch(`${api.http.url}/v1/orders/${id}/events`, {
      headers: { authorization: `Bearer ${itsKey}` },
    });
    expect(await response.text()).not.toContain('event:');
  });

  test('stays open when another key of the platform is revoked', async () => {
    const { id, subscriber, platformId } = await withKeyOfItsOwn();
    const other = await api.newKey(platformId);
    await keyStore().revoke(other.slice(0, 15));
    await api.openPayment(id);
    await subscriber.has(4);
    subscriber.stop();
  });
});

test.each(['1-8974698-7556942', newEventId()])(
  'a stream that a platform resumes by %s, which is not an id of the order’s events, begins again',
  async (lastEventId) => {
    const subscriber = await new Subscriber(await place(), lastEventId).start();
    await subscriber.has(3);
    expect(subscriber.types).toEqual(['OrderPlaced', 'OrderPaymentStarted', 'IntentRequested']);
    subscriber.stop();
  },
);

test.each(['x', '1-2', '1-2-3-4', '-1-2-3'])(
  'a stream request with the Last-Event-ID %p is refused',
  async (lastEventId) => {
    const id = await place();
    const answer = await api.call('GET', `/v1/orders/${id}/events`, {
      key,
      headers: { 'last-event-id': lastEventId },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  },
);

test('an open event stream ends when its process stops, so that the client can reconnect to another process', async () => {
  const stopping = await startApiFixture();
  const { key: itsKey } = await stopping.newPlatform();
  const { body } = await stopping.post('/v1/orders', itsKey, orderBody());
  const response = await fetch(`${stopping.http.url}/v1/orders/${String(body['id'])}/events`, {
    headers: { authorization: `Bearer ${itsKey}` },
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })();
  await waitFor(() => text.includes('event: OrderPlaced'));
  const startedMs = Date.now();
  await stopping.stop();
  await reading;
  expect(Date.now() - startedMs).toBeLessThan(6_000);
});
