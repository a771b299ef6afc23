import { LogReader } from '#log';
import { DAY_MS, plusMs } from '#kernel';
import { orderAggregate, orderList } from '#order';
import { UPCASTERS } from '#orchestrator';
import { quiet, START, WorkerBench } from '../worker.fixture.js';
import { drain } from './drain.fixture.js';
import { ProjectionRunner, rebuildProjection } from '#projections';

/** A projection of an older release that cannot read events of a newer release. */

let bench: WorkerBench;
beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:1');
});
afterAll(() => bench.close());

const older = (): LogReader => new LogReader(bench.pool, UPCASTERS);
const newer = (): LogReader => new LogReader(bench.pool, { ...UPCASTERS, OrderPraised: [] });

/** The order list of a newer release, which has one more event type. */
const newerList: typeof orderList = {
  ...orderList,
  apply: (row, event) =>
    event.type === 'OrderPraised' && row !== null
      ? { ...row, version: event.version, reference: `${row.reference}!` }
      : orderList.apply(row, event),
};

const place = (id: string): Promise<unknown> =>
  bench.store.execute(
    orderAggregate,
    id,
    {
      type: 'PlaceOrder',
      platformId: 'shop',
      merchantId: 'baker',
      accountId: 'acc_1',
      reference: id,
      amountMinor: 1250,
      currency: 'eur',
      capture: { policy: 'automatic' },
      methods: ['card'],
      returnUrl: null,
      description: null,
      metadata: {},
      expiresAt: plusMs(START, DAY_MS),
      at: START,
    },
    bench.metadata(id),
  );

const write = async (id: string, version: number, type: string): Promise<void> => {
  await bench.admin.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     VALUES ('order', $1, $2, gen_random_uuid(), $3, 1, $4, $5)`,
    [id, version, type, { at: START }, bench.metadata(id)],
  );
};

const listed = (): Promise<readonly object[]> =>
  bench.rows('SELECT order_id AS id, version, status, reference FROM order_list ORDER BY order_id');
const held = (): Promise<readonly object[]> =>
  bench.rows('SELECT reader, stream_id AS id, version FROM blocked_streams ORDER BY 1, 2');

const READER = 'projection:order_list';

test('a projection blocks only streams with unreadable events, and projects these streams once its release can read the events', async () => {
  await place('ord_a');
  await write('ord_a', 2, 'OrderPraised');
  await place('ord_b');
  const old = new ProjectionRunner(bench.pool, older(), [orderList]);
  await drain(bench.pool, old);
  await write('ord_a', 3, 'OrderCanceled');
  await write('ord_b', 2, 'OrderExpired');
  await drain(bench.pool, old);
  expect(await listed()).toEqual([
    { id: 'ord_a', version: 1, status: 'open', reference: 'ord_a' },
    { id: 'ord_b', version: 2, status: 'expired', reference: 'ord_b' },
  ]);
  expect(await held()).toEqual([{ reader: READER, id: 'ord_a', version: 2 }]);

  const upgraded = new ProjectionRunner(bench.pool, newer(), [newerList]);
  await drain(bench.pool, upgraded);
  expect((await listed())[0]).toEqual({
    id: 'ord_a',
    version: 3,
    status: 'canceled',
    reference: 'ord_a!',
  });
  expect(await held()).toEqual([]);

  // The older release still runs. Once the newer release has projected the blocked events, the
  // older release resumes with the later events of the stream.
  await write('ord_a', 4, 'OrderPraised');
  await write('ord_b', 3, 'OrderCanceled');
  await drain(bench.pool, old);
  expect(await listed()).toEqual([
    { id: 'ord_a', version: 3, status: 'canceled', reference: 'ord_a!' },
    { id: 'ord_b', version: 3, status: 'canceled', reference: 'ord_b' },
  ]);
  expect(await held()).toEqual([{ reader: READER, id: 'ord_a', version: 4 }]);
});

test('an unreadable event does not stop the other projections of a consumer group', async () => {
  await place('ord_c');
  await write('ord_c', 2, 'OrderPraised');
  const group = new ProjectionRunner(bench.pool, older(), [orderList], { logger: quiet });
  while ((await group.round()) > 0);
  await drain(bench.pool, new ProjectionRunner(bench.pool, older(), [orderList]));
  expect(await held()).toContainEqual({ reader: READER, id: 'ord_c', version: 2 });
});

test('a rebuild of a read model blocks only streams with unreadable events', async () => {
  const before = await held();
  await rebuildProjection(bench.pool, newer(), newerList);
  expect(await held()).toEqual([]);
  expect(await listed()).toContainEqual({
    id: 'ord_c',
    version: 2,
    status: 'open',
    reference: 'ord_c!',
  });
  await rebuildProjection(bench.pool, older(), orderList);
  expect((await held()).length).toBeGreaterThanOrEqual(before.length);
  expect(await held()).toContainEqual({ reader: READER, id: 'ord_c', version: 2 });
});
