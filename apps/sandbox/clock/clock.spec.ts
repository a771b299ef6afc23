import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { DAY_MS, HOUR_MS } from '#kernel';
import { TEST_CARDS } from '../collection/banks/test-values.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { moveToNoon } from '../testing/money.js';
import { Followers } from './followers.js';

/**
 * A follower: a client that the sandbox notifies when its clock moves. `received`: the instants of
 * the notifications; `answer`: the response to each notification.
 */
interface Follower {
  readonly url: string;
  readonly received: string[];
  answer: (now: string) => Promise<{ status: number; body: string }>;
  close(): void;
}

const startFollower = async (port = 0): Promise<Follower> => {
  const received: string[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as { now: string };
      expect(Object.keys(body)).toEqual(['now']);
      received.push(body.now);
      void follower.answer(body.now).then(({ status, body: answer }) => {
        response.writeHead(status).end(answer);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const follower: Follower = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/clock`,
    received,
    answer: () => Promise.resolve({ status: 200, body: '' }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return follower;
};

let sandbox: Harness;
let follower: Follower;
beforeAll(async () => {
  sandbox = await startHarness();
});
beforeEach(async () => {
  follower = await startFollower();
  await sandbox.call('POST', '/sandbox/clock/followers', { url: follower.url });
});
afterEach(async () => {
  follower.close();
  await query('DELETE FROM clock_followers');
});
afterAll(() => sandbox.stop());

/** Returns the number of rows that the query selects. */
const query = async (sql: string): Promise<number | null> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end();
  }
};

const clock = async () =>
  (await sandbox.call('GET', '/sandbox/clock')).body as unknown as { now: string; rate: number };
/** The number of registered followers. */
const followers = (): Promise<number | null> => query('SELECT FROM clock_followers');
const move = (body: object) => sandbox.call('POST', '/sandbox/clock', body);
const msSince = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

const CARD = {
  number: TEST_CARDS.find((card) => card.threeds === 'not_required')?.value ?? '',
  expMonth: 1,
  expYear: 2091,
  cvc: '123',
};
const authorized = async (): Promise<string> => {
  const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 9, capture: false });
  const id = body['id'] ?? '';
  await sandbox.pageFlow.submitCard(id, CARD);
  return id;
};
const capture = (id: string) => sandbox.call('POST', `/v2/payment_intents/${id}/capture`);
const statusOf = async (id: string): Promise<string> =>
  String((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body['status']);

test('the clock starts at real time and never goes back, including across restarts', async () => {
  const start = await clock();
  expect(start.rate).toBe(1);
  expect(Math.abs(msSince(new Date().toISOString(), start.now))).toBeLessThan(5_000);
  const moved = await move({ advance: 'P7D' });
  expect(moved.status).toBe(200);
  expect(Object.keys(moved.body).sort()).toEqual(['now', 'rate']);
  await sandbox.restart();
  const later = await clock();
  expect(msSince(start.now, later.now)).toBeGreaterThanOrEqual(7 * DAY_MS);
  expect(msSince(start.now, later.now)).toBeLessThan(7 * DAY_MS + 10_000);
});

// This test runs before the tests that make payments, because the clock would also stop for the
// scheduled work of their payments.
test('a move of the clock stops at the next due instant that an app that follows the clock has returned', async () => {
  const start = await clock();
  const noon = new Date(Date.parse(start.now) + 12 * HOUR_MS).toISOString();
  follower.answer = () => Promise.resolve({ status: 200, body: JSON.stringify({ next: noon }) });
  await move({ advance: 'P1D' });
  expect(follower.received).toContain(noon);
  expect(follower.received).toHaveLength(3);
});

test('two concurrent moves of the clock run one after the other', async () => {
  const start = await clock();
  await Promise.all([move({ advance: 'P1D' }), move({ advance: 'P1D' })]);
  expect(msSince(start.now, (await clock()).now)).toBeGreaterThanOrEqual(2 * DAY_MS);
  expect(follower.received).toEqual([...follower.received].sort());
});

test('an app that follows the clock is called again after a 503, and is removed when it is unreachable', async () => {
  let asked = 0;
  follower.answer = () => Promise.resolve({ status: (asked += 1) < 3 ? 503 : 200, body: '' });
  await move({ advance: 'PT1M' });
  expect(asked).toBe(4);
  follower.close();
  const limits = sandbox.http.app.get<Followers>(Followers, { strict: false });
  const { responseTimeoutMs } = limits;
  expect(responseTimeoutMs).toBe(30_000);
  limits.responseTimeoutMs = 1_000;
  const begun = Date.now();
  await move({ advance: 'PT1M' });
  limits.responseTimeoutMs = responseTimeoutMs;
  // A follower that does not respond is removed when its time limit would pass before the next try.
  expect(Date.now() - begun).toBeGreaterThanOrEqual(750);
  expect(await followers()).toBe(0);
});

test('a move of the clock waits while an app that follows the clock restarts, and the app stays registered', async () => {
  follower.close();
  const moved = move({ advance: 'PT1M' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  follower = await startFollower(Number(new URL(follower.url).port));
  await moved;
  await move({ advance: 'PT1M' });
  // The follower is notified at the start and at the end of each of the two moves.
  expect(follower.received).toHaveLength(4);
});

test('only the first bytes of an endless response from an app that follows the clock are read', async () => {
  const chunk = Buffer.alloc(16_384, 'x');
  let sentBytes = 0;
  const endless = createServer((request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
    };
    request.resume().on('end', more);
    response.on('drain', more).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/clock`;
  await sandbox.call('POST', '/sandbox/clock/followers', { url });
  const begun = Date.now();
  expect((await move({ advance: 'PT1M' })).status).toBe(200);
  // Reading the whole response would take until the time limit of a follower, 30 s.
  expect(Date.now() - begun).toBeLessThan(25_000);
  // The limit is high, because bytes in socket buffers count as sent, although the sandbox has not
  // read them.
  expect(sentBytes).toBeLessThan(50 * 1_024 * 1_024);
  endless.closeAllConnections();
  endless.close();
});

test('a move of the clock notifies the apps that follow the clock of each due instant in order, and then of the new time', async () => {
  await moveToNoon(sandbox, 3);
  follower.received.length = 0;
  const id = await authorized();
  await capture(id);
  const start = await clock();
  const seen: string[] = [];
  follower.answer = async () => {
    seen.push(await statusOf(id));
    return { status: 200, body: '' };
  };
  await move({ advance: 'P1D' });
  const { received } = follower;
  expect(received).toEqual([...received].sort());
  expect(received.map((at) => at.slice(11, 19))).toEqual([
    expect.any(String),
    '22:00:00',
    '06:00:00',
    expect.any(String),
  ]);
  expect(seen).toEqual(['to_capture', 'capture_sent', 'captured', 'captured']);
  expect(msSince(start.now, received[3] ?? '')).toBeGreaterThanOrEqual(DAY_MS);
});

test('the clock stands still while an app that follows the clock works; payments that the app captures are then sent and settled', async () => {
  const id = await authorized();
  follower.answer = async (now) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await clock()).now).toBe(now);
    if ((await statusOf(id)) === 'authorized') await capture(id);
    return { status: 200, body: '{}' };
  };
  await move({ advance: 'P3D' });
  expect(await statusOf(id)).toBe('captured');
});

test('a clock that runs at a rate stops at each due instant', async () => {
  const id = await authorized();
  await capture(id);
  const faster = await move({ rate: 86_400 });
  expect(faster.body).toMatchObject({ rate: 86_400 });
  const until = Date.now() + 15_000;
  while ((await statusOf(id)) !== 'captured' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await move({ rate: 1 });
  expect(await statusOf(id)).toBe('captured');
  // The follower receives the exact due instant, even when the work runs late in real time.
  const times = follower.received.map((at) => at.slice(11));
  expect(times).toEqual(expect.arrayContaining(['22:00:00.000Z', '06:00:00.000Z']));
  expect((await clock()).rate).toBe(1);
});

test('a move of the clock completes all work that falls due during the move', async () => {
  const ids = await Promise.all(Array.from({ length: 150 }, () => authorized()));
  await Promise.all(ids.slice(0, 100).map(capture));
  await move({ advance: 'P8D' });
  const statuses = await Promise.all(ids.map(statusOf));
  expect(statuses.slice(0, 100).every((status) => status === 'captured')).toBe(true);
  expect(statuses.slice(100).every((status) => status === 'unpaid')).toBe(true);
});

test('an invalid move of the clock is rejected and leaves the time unchanged', async () => {
  const moves = [
    {},
    { advance: 'P1M' },
    { advance: '-P1D' },
    { advance: 'PT0S' },
    { advance: 'P9999D' },
    { rate: 0 },
    { rate: -1 },
    { advance: 'P1D', rate: 2 },
    { now: '2030-01-01' },
  ];
  for (const body of moves) expect((await move(body)).status).toBe(422);
  expect(follower.received).toEqual([]);
});
