import { waitFor } from '#testing';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

const read = (key: string, query = ''): Promise<Reply> => api.get(`/v1/events${query}`, key);

/** Reads the end of the feed, which has `count` events. */
const endOf = (key: string, count: number) =>
  waitFor(async () => {
    const { body } = await read(key);
    const { items, nextCursor } = body as { items: readonly object[]; nextCursor: string };
    return items.length === count ? { items, nextCursor } : null;
  });

const openStream = async (key: string, query: string, headers: Record<string, string> = {}) => {
  const abort = new AbortController();
  const response = await fetch(`${api.http.url}/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  abort.abort();
  return response.status;
};

test('a platform does not learn from its cursors whether other platforms are active', async () => {
  const [own, other] = [await api.newPlatform(), await api.newPlatform()];
  const before = await endOf(own.key, 1);
  const unchanged = await endOf(own.key, 1);
  await api.post('/v1/orders', other.key, orderBody());
  await endOf(other.key, 4);
  const after = await endOf(own.key, 1);
  expect(after.items).toEqual(before.items);
  expect(unchanged.nextCursor).not.toBe(before.nextCursor);
  for (const { nextCursor } of [before, unchanged, after]) {
    expect(nextCursor).toHaveLength(before.nextCursor.length);
    const [, text = ''] = nextCursor.split('.');
    expect(Buffer.from(text, 'base64url').toString('latin1')).not.toMatch(/\d-\d+-\d/);
  }
});

test('a cursor of another platform is refused', async () => {
  const [own, other] = [await api.newPlatform(), await api.newPlatform()];
  const { nextCursor } = await endOf(other.key, 1);
  for (const path of ['', '/stream']) {
    expect(await read(own.key, `${path}?cursor=${nextCursor}`)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ parameter: 'cursor' }] },
    });
  }
  expect(await openStream(own.key, '', { 'last-event-id': nextCursor })).toBe(422);
  expect((await read(other.key, `?cursor=${nextCursor}`)).status).toBe(200);
});
