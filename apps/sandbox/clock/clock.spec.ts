import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { DAY_MS, HOUR_MS } from '#kernel';
import { TEST_CARDS } from '../collection/banks/test-values.js';
import { type Harness, startHarness } from '../testing/harness.js';
import { moveToNoon } from '../testing/money.js';

/** Somebody who follows the clock: what it was told, and what it answers. */
interface Follower {
  readonly url: string;
  readonly told: string[];
  answer: (now: string) => Promise<{ status: number; body: string }>;
  close(): void;
}

const startFollower = async (port = 0): Promise<Follower> => {
  const told: string[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as { now: string };
      expect(Object.keys(body)).toEqual(['now']);
      told.push(body.now);
      void follower.answer(body.now).then(({ status, body: answer }) => {
        response.writeHead(status).end(answer);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const follower: Follower = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/clock`,
    told,
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
beforeEach(async () => {
  sandbox = await startHarness();
  follower = await startFollower();
  await sandbox.call('POST', '/sandbox/clock/followers', { url: follower.url });
});
afterEach(async () => {
  await sandbox.stop();
  follower.close();
});

const clock = async () =>
  (await sandbox.call('GET', '/sandbox/clock')).body as unknown as { now: string; rate: number };
/** How many the sandbox knows. */
const followers = async (): Promise<number | null> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM clock_followers');
  await client.end();
  return rowCount;
};
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

test('it starts as real time and moves on, never back, over restarts too', async () => {
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

test('followers are told each due instant in order, and the target itself', async () => {
  await moveToNoon(sandbox, 3);
  follower.told.length = 0;
  const id = await authorized();
  await capture(id);
  const start = await clock();
  const seen: string[] = [];
  follower.answer = async () => {
    seen.push(await statusOf(id));
    return { status: 200, body: '' };
  };
  await move({ advance: 'P1D' });
  const { told } = follower;
  expect(told).toEqual([...told].sort());
  expect(told.map((at) => at.slice(11, 19))).toEqual([
    expect.any(String),
    '22:00:00',
    '06:00:00',
    expect.any(String),
  ]);
  expect(seen).toEqual(['to_capture', 'capture_sent', 'captured', 'captured']);
  expect(msSince(start.now, told[3] ?? '')).toBeGreaterThanOrEqual(DAY_MS);
});

test('the clock stands still while a follower works, and what it does counts', async () => {
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

test("a follower's own next instant is a stop on the way", async () => {
  const start = await clock();
  const noon = new Date(Date.parse(start.now) + 12 * HOUR_MS).toISOString();
  follower.answer = () => Promise.resolve({ status: 200, body: JSON.stringify({ next: noon }) });
  await move({ advance: 'P1D' });
  expect(follower.told).toContain(noon);
  expect(follower.told).toHaveLength(3);
});

test('two moves at once follow one another', async () => {
  const start = await clock();
  await Promise.all([move({ advance: 'P1D' }), move({ advance: 'P1D' })]);
  expect(msSince(start.now, (await clock()).now)).toBeGreaterThanOrEqual(2 * DAY_MS);
  expect(follower.told).toEqual([...follower.told].sort());
});

test('a follower that is busy is asked again, one that is gone is dropped', async () => {
  let asked = 0;
  follower.answer = () => Promise.resolve({ status: (asked += 1) < 3 ? 503 : 200, body: '' });
  await move({ advance: 'PT1M' });
  expect(asked).toBe(4);
  follower.close();
  const begun = Date.now();
  await move({ advance: 'PT1M' });
  expect(Date.now() - begun).toBeGreaterThan(29_000);
  expect(await followers()).toBe(0);
}, 60_000);

test('a follower that is restarting is waited for, and stays registered', async () => {
  follower.close();
  const moved = move({ advance: 'PT1M' });
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  follower = await startFollower(Number(new URL(follower.url).port));
  await moved;
  await move({ advance: 'PT1M' });
  // Where each move begins, and where it ends.
  expect(follower.told).toHaveLength(4);
}, 40_000);

test('of an answer without an end no more than its beginning is read', async () => {
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
  // Read to its end, it would be waited for as long as any follower may take: 30 s.
  expect(Date.now() - begun).toBeLessThan(25_000);
  // What the sockets hold on the way counts too.
  expect(sentBytes).toBeLessThan(50 * 1_024 * 1_024);
  endless.closeAllConnections();
  endless.close();
}, 60_000);

test('at a rate the due instants are stops too', async () => {
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
  // To the very instant, however late in real time they are done.
  const times = follower.told.map((at) => at.slice(11));
  expect(times).toEqual(expect.arrayContaining(['22:00:00.000Z', '06:00:00.000Z']));
  expect((await clock()).rate).toBe(1);
});

test('a jump over many due things leaves none behind', async () => {
  const ids = await Promise.all(Array.from({ length: 150 }, () => authorized()));
  await Promise.all(ids.slice(0, 100).map(capture));
  await move({ advance: 'P8D' });
  const statuses = await Promise.all(ids.map(statusOf));
  expect(statuses.slice(0, 100).every((status) => status === 'captured')).toBe(true);
  expect(statuses.slice(100).every((status) => status === 'unpaid')).toBe(true);
}, 60_000);

test('what is no move does not move it', async () => {
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
  expect(follower.told).toEqual([]);
});
