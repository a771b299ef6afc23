import { waitFor } from '#testing';
import {
  type AdminFixture,
  ORIGIN,
  startAdminFixture,
  type TestBrowser,
} from '../admin.fixture.js';
import { placeOrder } from '../place-order.fixture.js';

let admin: AdminFixture;
let viewer: TestBrowser & { readonly userId: string };

beforeAll(async () => {
  admin = await startAdminFixture();
  viewer = await admin.signedIn('viewer');
});

afterAll(() => admin.stop());

/** Reads the stream until it ends; `text` is everything received so far. */
const follow = async ({ cookie }: TestBrowser = viewer) => {
  const response = await fetch(`${admin.http.url}/v1/changes`, {
    headers: { cookie, origin: ORIGIN },
  });
  const stream = { status: response.status, text: '', isOver: false, close: () => {} };
  const reader = response.body?.getReader();
  stream.close = () => void reader?.cancel();
  void (async () => {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      stream.text += Buffer.from(part.value as Uint8Array).toString();
    }
    stream.isOver = true;
  })();
  return stream;
};

const ofShop = {
  platformId: 'shop',
  merchantId: 'm1',
  accountId: 'acc_1',
  reference: 'A-1',
  amountMinor: 100,
} as const;

const placed = (): Promise<string> => placeOrder(admin.store, ofShop);

test('open console pages receive only the ids of changed entities', async () => {
  const stream = await follow();
  await waitFor(() => stream.text.includes('retry'));
  const orderId = await placed();
  await waitFor(() => stream.text.includes(orderId));
  expect(stream.text).toContain('event: changed');
  expect(stream.text).not.toContain('A-1');
  await admin.pool.query(
    `UPDATE sagas SET waiting = '{"stimuli": [], "attempts": 1, "error": "it broke"}',
            retry_at = 'infinity', failing_since = now(), updated_at = now()
      WHERE saga = 'checkout' AND key = $1`,
    [orderId],
  );
  await waitFor(() => stream.text.includes('event: attention'), { timeoutMs: 10_000 });
  stream.close();
});

test('a change stream without changes sends heartbeat events', async () => {
  const stream = await follow();
  await waitFor(() => stream.text.includes('event: beat\n'), { timeoutMs: 60_000 });
  stream.close();
});

test('the metric of open change streams does not count a stream whose client disconnected while the session was read', async () => {
  const client = await admin.pool.connect();
  await client.query('BEGIN; LOCK TABLE admin_sessions');
  const headers = { cookie: viewer.cookie, origin: ORIGIN };
  const leaving = Array.from({ length: 25 }, () =>
    fetch(`${admin.http.url}/v1/changes`, { headers, signal: AbortSignal.timeout(300) }),
  );
  const left = await Promise.allSettled(leaving);
  expect(left.every(({ status }) => status === 'rejected')).toBe(true);
  await client.query('ROLLBACK');
  client.release();
  const stream = await follow();
  expect(stream.status).toBe(200);
  await waitFor(async () =>
    /^console_streams_open(?:\{.*\})? 1$/m.test((await viewer.get('/metrics')).text),
  );
  stream.close();
});

test('a session is not extended when a page reopens its change stream', async () => {
  const minutes = async (): Promise<number> => {
    const {
      rows: [row],
    } = await admin.pool.query<{ minutes: number }>(
      `SELECT (extract(epoch FROM now() - last_seen_at) / 60)::int AS minutes
         FROM admin_sessions WHERE user_id = $1`,
      [viewer.userId],
    );
    return row?.minutes ?? 0;
  };
  await admin.pool.query(
    `UPDATE admin_sessions SET last_seen_at = now() - interval '20 minutes' WHERE user_id = $1`,
    [viewer.userId],
  );
  const stream = await follow();
  await waitFor(() => stream.text.includes('retry'));
  stream.close();
  expect(await minutes()).toBe(20);
  await viewer.get('/v1/queues');
  expect(await minutes()).toBe(0);
});

test('a change stream ends with its session and does not extend the session', async () => {
  const stream = await follow();
  await waitFor(() => stream.text.includes('retry'));
  await admin.pool.query(
    `UPDATE admin_sessions SET last_seen_at = now() - interval '31 minutes' WHERE user_id = $1`,
    [viewer.userId],
  );
  await waitFor(() => stream.isOver, { timeoutMs: 10_000 });
  expect((await viewer.get('/v1/session')).status).toBe(401);
});

test('a change stream sends no changes after its session has ended', async () => {
  const someone = await admin.signedIn('viewer');
  const stream = await follow(someone);
  await waitFor(() => stream.text.includes('retry'));
  const before = await placed();
  await waitFor(() => stream.text.includes(before));
  await admin.pool.query('DELETE FROM admin_sessions WHERE user_id = $1', [someone.userId]);
  const after = await placed();
  await waitFor(() => stream.isOver, { timeoutMs: 10_000 });
  expect(stream.text).not.toContain(after);
});
