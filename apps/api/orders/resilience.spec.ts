import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomText } from '#kernel';
import { createLogger } from '#platform';
import { lockWaits, waitFor } from '#testing';
import { startApi } from '../api-app.js';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});

afterAll(() => api.stop());

/** Closes every database connection of the API, as a restart of the database server does. */
const breakConnections = () =>
  api.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'api' AND datname = current_database()`,
  );

/** Repeats the same request under the same idempotency key until the response is final. */
const placeSurely = async (body: object, seen: number[]): Promise<Reply> => {
  const idempotencyKey = randomText(16);
  for (let tries = 0; tries < 100; tries += 1) {
    const answering = api.post('/v1/orders', key, body, idempotencyKey);
    // Breaks the connections at a random moment, unlike `breakDuringCommit`.
    if (seen.length % 4 === 0) await breakConnections();
    const answer = await answering;
    seen.push(answer.status);
    if (answer.status < 500 && answer.status !== 409) return answer;
    expect(answer.body).toMatchObject({ status: answer.status });
    await sleep(20);
  }
  throw new Error('no answer after 100 tries');
};

/**
 * Breaks the database connections while the commit started by `begin` waits for the lock on the
 * event log.
 */
const breakDuringCommit = async <T>(begin: () => Promise<T>): Promise<T> => {
  const client = await api.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE events IN SHARE MODE');
    const running = begin();
    await waitFor(() => lockWaits(api.pool));
    await breakConnections();
    await client.query('ROLLBACK');
    return await running;
  } finally {
    client.release();
  }
};

test('requests get a 503 while database connections fail, and no order is lost or duplicated', async () => {
  const bodies = Array.from({ length: 150 }, () => orderBody());
  const seen: number[] = [];
  const answers: Reply[] = [];
  for (let start = 0; start < bodies.length; start += 10) {
    const some = bodies.slice(start, start + 10);
    const place = () => Promise.all(some.map((body) => placeSurely(body, seen)));
    answers.push(...(await (start === 0 ? breakDuringCommit(place) : place())));
  }
  expect(seen).toContain(503);
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(bodies.length);
  expect(seen.filter((status) => ![201, 409, 503].includes(status))).toEqual([]);
  const { rows } = await api.pool.query(
    `SELECT count(*)::int AS orders, count(DISTINCT data->>'reference')::int AS references
         FROM events WHERE type = 'OrderPlaced'`,
  );
  expect(rows).toEqual([{ orders: bodies.length, references: bodies.length }]);
});

test('a request repeated under its idempotency key gets the result of the first commit, even if the response to the commit was lost', async () => {
  const [body, idempotencyKey] = [orderBody(), randomText(16)];
  const first = await api.post('/v1/orders', key, body, idempotencyKey);
  await breakConnections();
  await sleep(50);
  const again = await api.post('/v1/orders', key, body, idempotencyKey);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

/** A TCP proxy to the database server that can be closed and opened again. */
class Gate {
  private readonly sockets = new Set<Socket>();
  private server: Server;
  port = 0;

  constructor(private readonly target: URL) {
    this.server = this.create();
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.server = this.create();
  }

  private create(): Server {
    return createServer((near) => {
      const far = connect(Number(this.target.port), this.target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(one);
        one
          .on('error', () => one.destroy())
          .on('close', () => other.destroy())
          .pipe(other);
      }
    });
  }
}

test('while the database is unavailable, the API reports that it is alive but not ready, and its responses say when to retry', async () => {
  const url = new URL(api.config.databaseUrl);
  const gate = new Gate(new URL(url));
  await gate.open();
  url.host = `127.0.0.1:${gate.port}`;
  const logger = createLogger('api', { level: 'silent' });
  const gated = await startApi(
    { ...api.config, databaseUrl: url.toString() },
    { logger, ownsProcess: false },
  );
  const get = (path: string): Promise<Response> =>
    fetch(`${gated.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  try {
    expect((await get('/v1/orders')).status).toBe(200);
    await gate.close();
    expect((await get('/health/live')).status).toBe(200);
    const ready = await get('/health/ready');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ checks: { postgres: { status: 'down' } } });
    const answer = await get('/v1/orders');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ code: 'temporarily_unavailable' });
    await gate.open();
    expect((await get('/v1/orders')).status).toBe(200);
  } finally {
    await gated.close();
    await gate.close();
  }
});
