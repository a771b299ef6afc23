import { Kafka, logLevel } from 'kafkajs';
import { type Feed, PostgresStore, restFeed, Subscriber } from 'payment-orchestrator-subscriber';
import type pg from 'pg';
import { createLogger, SCOPES } from '#platform';
import { createDatabase, specPool, type TestDatabase, waitFor } from '#testing';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { type ReadEvent, readTopics } from '../../tools/stack/topics.js';
import { Flow } from '../support/flow.js';
import { newProviderKey } from '../../tools/stack/provider-key.js';
import { type LoggedEvent, Shard, Tenant } from '../support/shard.js';

/**
 * Runs two shards with the same topics and the same provider. Each shard is a set of platforms with
 * its own database, and so with its own event log, relay, jobs and webhook URLs. The spec has two
 * platforms, `flow` in the first shard and `garden` in the second. docs/scale.md describes what the
 * spec proves.
 */

const quiet = createLogger('spec', { level: 'silent' });

let flow: Flow;
let first: Shard;
let second: Shard;
let ofFlow: Tenant;
let ofGarden: Tenant;
let administrator: pg.Pool;
let service: Service;

beforeAll(async () => {
  flow = await Flow.start();
  const { stack } = flow;
  administrator = specPool(stack.databases.sandbox, 1);
  first = Shard.of(stack);
  second = await Shard.beside(stack);
  ofFlow = new Tenant(first.app.url, stack.apiKey, stack.merchantId);
  ofGarden = await second.admit('garden', 'garden-merchant', await newProviderKey(stack));
  service = await Service.start();
  await service.confirmWith('ships-flow', ofFlow);
  await service.confirmWith('ships-garden', ofGarden);
});
afterAll(async () => {
  await service.stop();
  await second.stop();
  await first.pool.end();
  await administrator.end();
  await flow.stop();
});

/**
 * A service that ships the paid orders of both platforms. For each shard it runs a subscriber, which
 * confirms events with that shard's log. All subscribers write to one table.
 */
class Service {
  private readonly subscribers: Subscriber<pg.PoolClient>[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly pool: pg.Pool,
  ) {}

  static async start(): Promise<Service> {
    const database = await createDatabase();
    const pool = specPool(database.url);
    await pool.query('CREATE TABLE shipments (order_id text, shipped_by text)');
    return new Service(database, pool);
  }

  async confirmWith(name: string, { url, apiKey }: Tenant): Promise<void> {
    await this.subscribe(name, restFeed({ url, apiKey }));
  }

  /**
   * Starts a subscriber, which reads the topics from their beginning. Without `confirm` it handles
   * the events of all shards.
   */
  async subscribe(name: string, confirm?: Feed): Promise<Subscriber<pg.PoolClient>> {
    const store = new PostgresStore(this.pool, name);
    await store.prepare();
    const subscriber = new Subscriber<pg.PoolClient>({
      kafka: new Kafka({ brokers: [...flow.stack.brokers], logLevel: logLevel.NOTHING }),
      topicPrefix: flow.stack.topicPrefix,
      streams: ['order'],
      store,
      logger: quiet,
      handlers: {
        OrderPaid: async ({ subject }, tx) => {
          await tx.query('INSERT INTO shipments VALUES ($1, $2)', [subject, name]);
        },
      },
      ...(confirm && { confirm }),
    });
    this.subscribers.push(subscriber);
    subscriber.start();
    return subscriber;
  }

  /** The names of the subscribers that have shipped an order: one name for each shipment. */
  async shippedBy(orderId: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      'SELECT shipped_by AS name FROM shipments WHERE order_id = $1 ORDER BY 1',
      [orderId],
    );
    return rows.map(({ name }) => name);
  }

  async stop(): Promise<void> {
    await Promise.all(this.subscribers.map((one) => one.stop()));
    await this.pool.end();
    await this.database.drop();
  }
}

const streamOf = ({ event }: ReadEvent): string => `${event.streamType}/${event.streamId}`;

/**
 * The events of all topics without repetitions: the first occurrence of each event, grouped by
 * stream.
 */
const firstOccurrences = (read: readonly ReadEvent[]): Map<string, LoggedEvent[]> => {
  const streams = new Map<string, LoggedEvent[]>();
  for (const one of read) {
    const { version, eventId } = one.event;
    const events = streams.get(streamOf(one)) ?? [];
    if (!events.some((other) => other.eventId === eventId)) {
      events.push({ stream: streamOf(one), version, eventId });
    }
    streams.set(streamOf(one), events);
  }
  return streams;
};

const byStream = (log: readonly LoggedEvent[]): Map<string, LoggedEvent[]> => {
  const streams = new Map<string, LoggedEvent[]>();
  for (const event of log) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  return streams;
};

/**
 * Waits until the topics contain the logs of both shards completely and in order, and no other
 * event; returns the messages.
 */
const bothLogsPublished = (): Promise<readonly ReadEvent[]> =>
  waitFor(async () => {
    const logs = [await first.log(), await second.log()];
    await Promise.all([first.published(), second.published()]);
    const read = await readTopics(flow.stack);
    expect(firstOccurrences(read)).toEqual(byStream(logs.flat()));
    return read;
  });

test('orders of both platforms are paid, and the shared topics contain both logs completely and in order', async () => {
  await Promise.all([1, 2, 3].flatMap(() => [ofFlow.placePaid(), ofGarden.placePaid()]));
  const read = await bothLogsPublished();
  const [one, other] = [await first.log(), await second.log()];
  const ids = [...one, ...other].map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
  const streams = new Set(one.map(({ stream }) => stream));
  expect(other.filter(({ stream }) => streams.has(stream))).toEqual([]);

  // Both shards must publish to the same topics. Otherwise the assertions before would prove
  // little.
  const topics = (isOfFirst: boolean) =>
    new Set(
      read.filter((event) => streams.has(streamOf(event)) === isOfFirst).map(({ topic }) => topic),
    );
  expect(topics(true)).toEqual(topics(false));
});

const rows = async (shard: Shard, sql: string): Promise<readonly unknown[]> =>
  (await shard.pool.query<Record<string, unknown>>(sql)).rows;

test('each shard has its own relay lease and cursor, and knows neither the other’s keys nor its orders', async () => {
  for (const shard of [first, second]) {
    expect(await rows(shard, `SELECT name FROM leases WHERE name = 'relay'`)).toHaveLength(1);
    await shard.published();
  }
  const platformOf = (shard: Shard) =>
    rows(
      shard,
      `SELECT DISTINCT data ->> 'platformId' AS id FROM events WHERE type = 'OrderPlaced'`,
    );
  expect(await platformOf(first)).toEqual([{ id: 'flow' }]);
  expect(await platformOf(second)).toEqual([{ id: 'garden' }]);

  const misdirected = new Tenant(second.app.url, ofFlow.apiKey, flow.stack.merchantId);
  expect((await misdirected.platform.send('GET', '/v1/orders')).status).toBe(401);
});

test('a service handles the orders of both shards, each once', async () => {
  const all = await service.subscribe('dashboard');
  const [flows, gardens] = await Promise.all([ofFlow.placePaid(), ofGarden.placePaid()]);
  await waitFor(async () => (await service.shippedBy(flows)).length === 2);
  await waitFor(async () => (await service.shippedBy(gardens)).length === 2);
  expect(await service.shippedBy(flows)).toEqual(['dashboard', 'ships-flow']);
  expect(await service.shippedBy(gardens)).toEqual(['dashboard', 'ships-garden']);
  expect(all.counts).toMatchObject({ foreign: 0, unconfirmed: 0, blocked: 0, undecodable: 0 });
});

test('the provider sends each account’s webhooks to the shard of the account', async () => {
  const accounts = (shard: Shard) => rows(shard, 'SELECT id FROM provider_accounts ORDER BY id');
  const received = (shard: Shard) =>
    rows(shard, 'SELECT DISTINCT account_id AS id FROM webhooks_received ORDER BY id');
  for (const [shard, tenant] of [
    [first, ofFlow],
    [second, ofGarden],
  ] as const) {
    const id = await tenant.place();
    await new Payer((await tenant.page(id)).pageUrl).pay(CARDS.plain);
    await flow.stack.sandbox.advance('PT30S');
    await tenant.orderIs(id, 'paid');
    await waitFor(async () => (await received(shard)).length > 0);
    expect(await received(shard)).toEqual(await accounts(shard));
    expect(await rows(shard, 'SELECT FROM webhooks_refused')).toEqual([]);
  }
});

const readiness = async ({ app }: Shard): Promise<number> =>
  (await fetch(`${app.internalUrl}/health/ready`)).status;

test('while the database of one shard is unavailable the other shard’s orders are paid, published and shipped', async () => {
  const open = await ofFlow.place();
  const { pageUrl } = await ofFlow.page(open);
  await first.setDatabase(administrator, 'unavailable');
  try {
    await waitFor(async () => (await readiness(first)) === 503);
    expect(await readiness(second)).toBe(200);
    const id = await ofGarden.placePaid();
    await waitFor(async () => (await service.shippedBy(id)).includes('ships-garden'));
    await second.published();
    await new Payer(pageUrl).pay(CARDS.plain);
  } finally {
    await first.setDatabase(administrator, 'available');
  }
  await ofFlow.pay(open);
  await waitFor(async () => (await service.shippedBy(open)).includes('ships-flow'));
  await bothLogsPublished();
});

test('a platform that moves places new orders in the other shard, while its earlier orders end where they were placed', async () => {
  const { stack } = flow;
  const [open, paid] = [await ofFlow.place(), await ofFlow.placePaid()];
  const moved = await second.admit('flow', stack.merchantId, await newProviderKey(stack));
  await service.confirmWith('ships-flow-moved', moved);
  const next = await moved.placePaid();
  await ofFlow.pay(open);
  const rest = SCOPES.filter((scope) => scope !== 'orders:write');
  const remaining = await first.tenant('flow', stack.merchantId, rest);
  await expect(remaining.place()).rejects.toThrow(/403.*orders:write/);

  await stack.sandbox.advance('P1D');
  expect((await remaining.platform.refund(paid)).status).toBe(202);
  await stack.sandbox.advance('P2D');
  await waitFor(async () => (await remaining.platform.read(paid)).refundedMinor === 4_250);
  for (const shard of [first, second]) {
    expect(await rows(shard, 'SELECT FROM payout_list WHERE matched > 0')).not.toEqual([]);
    expect(await rows(shard, 'SELECT FROM reconciliation_exceptions')).toEqual([]);
  }

  const shipping = async (id: string) =>
    (await service.shippedBy(id)).filter((name) => name.startsWith('ships'));
  await waitFor(async () => (await shipping(next)).length > 0);
  await waitFor(async () => (await shipping(open)).length > 0);
  expect(await shipping(next)).toEqual(['ships-flow-moved']);
  expect(await shipping(open)).toEqual(['ships-flow']);
});
