import { isDeepStrictEqual } from 'node:util';
import { type LogCursor, LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { assert, DAY_MS, plusMs } from '#kernel';
import { type Order, orderAggregate, type OrderCommand, orderList } from '#order';
import { waitFor } from '#testing';
import { quiet, START, WorkerBench } from '../worker.fixture.js';
import { drain } from './drain.fixture.js';
import { mandateUse } from '#payment';
import { payoutList } from '#payout';
import {
  type Projection,
  ProjectionRunner,
  rebuildProjection,
  RebuildUnderWay,
} from '#projections';

let bench: WorkerBench;
let reader: LogReader;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  reader = new LogReader(bench.pool, UPCASTERS);
});
afterAll(() => bench.close());

const place = (reference: string): OrderCommand => ({
  type: 'PlaceOrder',
  platformId: 'plat_1',
  merchantId: 'm_1',
  accountId: 'acc_1',
  reference,
  amountMinor: 4_294_967_295,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  returnUrl: null,
  description: null,
  metadata: {},
  expiresAt: plusMs(START, DAY_MS),
  at: START,
});

/** Six histories of an order, each named by the resulting status. */
const WAYS: Readonly<Record<string, readonly OrderCommand[]>> = {
  open: [{ type: 'StartPayment', paymentId: 'pay_1', at: START }],
  paid: [
    { type: 'StartPayment', paymentId: 'pay_2', at: START },
    { type: 'NoteAuthorization', paymentId: 'pay_2', at: START },
    { type: 'ConfirmPaid', paymentId: 'pay_2', amountMinor: 4_294_967_295, at: START },
    {
      type: 'NoteRefundOrChargeback',
      how: 'refund',
      paymentId: 'pay_2',
      refundId: 'refd_1',
      requestId: null,
      amountMinor: 4_000_000_000,
      at: START,
    },
    {
      type: 'NoteRefundOrChargeback',
      how: 'chargeback',
      paymentId: 'pay_2',
      disputeId: 'dspt_1',
      amountMinor: 294_967_295,
      reasonCode: '4837',
      payerReasonCode: '4837',
      at: START,
    },
  ],
  authorized: [
    { type: 'StartPayment', paymentId: 'pay_3', at: START },
    { type: 'StartPayment', paymentId: 'pay_4', at: START },
    { type: 'NoteAuthorization', paymentId: 'pay_4', at: START },
  ],
  closing: [
    { type: 'RequestCancellation', at: START },
    { type: 'StartPayment', paymentId: 'pay_5', at: START },
  ],
  expired: [
    { type: 'ReachExpiry', at: START },
    { type: 'CloseOrder', outcome: 'expired', reason: 'late', at: START },
  ],
  failed: [{ type: 'CloseOrder', outcome: 'failed', reason: 'refused', at: START }],
};

const run = async (id: string, commands: readonly OrderCommand[]): Promise<void> => {
  for (const command of commands) {
    await bench.store.execute(orderAggregate, id, command, bench.metadata(id));
  }
};

const newRunner = () => new ProjectionRunner(bench.pool, reader, [orderList]);

/** The expected rows of the list, computed from the events of each stream. */
const folded = async (): Promise<readonly object[]> => {
  const ids = await bench.rows<{ id: string }>(
    `SELECT DISTINCT stream_id AS id FROM events WHERE stream_type = 'order' ORDER BY 1`,
  );
  return Promise.all(
    ids.map(async ({ id }) => {
      const { state, version } = await bench.store.load(orderAggregate, id);
      const order = state as Exclude<Order, { status: 'not_placed' }>;
      const { reference, amountMinor } = order.terms;
      const { refundedMinor, chargedBackMinor } =
        order.status === 'paid'
          ? order.refundsAndChargebacks
          : { refundedMinor: 0, chargedBackMinor: 0 };
      return {
        id,
        reference,
        amount: String(amountMinor),
        status: order.status,
        payment: order.payments.at(-1) ?? null,
        version,
        placed: new Date(order.placedAt),
        refunded: String(refundedMinor),
        taken: String(chargedBackMinor),
      };
    }),
  );
};

const listed = () =>
  bench.rows(
    `SELECT order_id AS id, reference, amount_minor AS amount, status, payment_id AS payment, version,
          placed_at AS placed, refunded_minor AS refunded, charged_back_minor AS taken
     FROM order_list ORDER BY order_id`,
  );

test('the order list shows each order with the values of its event stream', async () => {
  const runner = newRunner();
  for (const way of Object.keys(WAYS)) await run(`ord_${way}`, [place(way)]);
  await drain(bench.pool, runner);
  expect((await listed()).length).toBe(6);
  for (const [way, commands] of Object.entries(WAYS)) await run(`ord_${way}`, commands);
  await drain(bench.pool, runner);
  const rows = await listed();
  expect(rows).toEqual(await folded());
  expect(rows.map((row) => (row as { status: string }).status)).toEqual(
    Object.keys(WAYS).toSorted(),
  );
});

test('each event is projected once, even if two processes run the projections concurrently', async () => {
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await run(`ord_x${index}`, [place(`x${index}`), ...(WAYS['paid'] ?? [])]);
    }),
  );
  await Promise.all([1, 2, 3].map(() => drain(bench.pool, newRunner())));
  expect(await listed()).toEqual(await folded());
});

test('events that a restore has lost since they were read are not projected', async () => {
  await drain(bench.pool, newRunner());
  await run('ord_lost', [place('lost')]);
  const losing: typeof reader.readAfter = async (cursor, limit) => {
    const events = await reader.readAfter(cursor, limit);
    await bench.admin.query(`DELETE FROM events WHERE stream_id = 'ord_lost'`);
    await bench.admin.query('UPDATE log_identity SET epoch = epoch + 1');
    return events;
  };
  const lossy = {
    knows: reader.knows.bind(reader),
    readAfter: losing,
    readStreamFrom: reader.readStreamFrom.bind(reader),
  };
  const runner = new ProjectionRunner(bench.pool, lossy, [orderList]);
  expect(await runner.round()).toBeGreaterThan(0);
  await drain(bench.pool, newRunner());
  expect(await listed()).toEqual(await folded());
});

describe('a consumer group of projections', () => {
  /**
   * The names of the projections whose cursor is at the same position as the order list's cursor.
   */
  const atOnePlace = () =>
    bench.rows<{ name: string }>(
      `SELECT c.name FROM log_cursors c, log_cursors l
      WHERE l.name = 'projection:order_list' AND (c.epoch, c.transaction_id, c.position) =
            (l.epoch, l.transaction_id, l.position) ORDER BY 1`,
    );
  /** Runs the projections until the list is as expected; returns the number of runs. */
  const projects = async (group: ProjectionRunner): Promise<number> => {
    let rounds = 0;
    await waitFor(async () => {
      await group.round();
      rounds += 1;
      return isDeepStrictEqual(await listed(), await folded());
    });
    return rounds;
  };

  test('reads each page of the event log once for all its projections', async () => {
    let readings = 0;
    const reading = {
      knows: () => true,
      readStreamFrom: () => Promise.resolve([]),
      readAfter: (after: LogCursor, limit: number) => {
        readings += 1;
        return reader.readAfter(after, limit);
      },
    };
    const all = [mandateUse, orderList, payoutList];
    const group = new ProjectionRunner(bench.pool, reading, all, { logger: quiet });
    await projects(group);
    await waitFor(async () => {
      await group.round();
      return (await atOnePlace()).length === 3;
    });
    readings = 0;
    await run('ord_together', [place('together')]);
    const rounds = await projects(group);
    expect(readings).toBe(rounds);
    expect(await atOnePlace()).toHaveLength(3);
  });

  test('continues while one of its projections fails, and retries the failing projection', async () => {
    let works = false;
    const failing: Projection = {
      ...mandateUse,
      streamTypes: ['order'],
      apply: () => {
        assert(works, 'a bug of this projection');
        return null;
      },
    };
    const group = new ProjectionRunner(bench.pool, reader, [failing, orderList], { logger: quiet });
    await run('ord_beside', [place('beside')]);
    await projects(group);
    expect(await atOnePlace()).toHaveLength(1);
    works = true;
    await waitFor(async () => {
      await group.round();
      return (await atOnePlace()).length === 2;
    });
  });
});

test('a rebuild of a read model corrects wrong rows, even while orders are placed and a worker projects the orders’ events', async () => {
  await bench.admin.query(`UPDATE order_list SET status = 'paid', version = version + 7`);
  let over = false;
  const projecting = (async () => {
    const runner = newRunner();
    while (!over) await runner.round();
  })();
  const going = run('ord_late', [place('late'), ...(WAYS['paid'] ?? [])]);
  const { events } = await rebuildProjection(bench.pool, reader, orderList);
  expect(events).toBeGreaterThan(60);
  await going;
  over = true;
  await projecting;
  await drain(bench.pool, newRunner());
  expect(await listed()).toEqual(await folded());
  await expect(listed()).resolves.toHaveLength(69);
});

test('an idle worker projects events that a rebuild in another process has not processed', async () => {
  const runner = newRunner();
  await run('ord_y1', [place('y1')]);
  await drain(bench.pool, runner);
  const [before] = await bench.rows<{ epoch: string; transaction: string; position: string }>(
    `SELECT epoch::text, transaction_id::text AS transaction, position::text FROM log_cursors
      WHERE name = 'projection:order_list'`,
  );
  await run('ord_y2', [place('y2')]);
  await drain(bench.pool, runner);
  // Restores the table and the cursor to their state after a rebuild that ended before the second
  // order.
  await bench.admin.query(`DELETE FROM order_list WHERE order_id = 'ord_y2'`);
  await bench.admin.query(
    `UPDATE log_cursors SET epoch = $1, transaction_id = $2::xid8, position = $3
      WHERE name = 'projection:order_list'`,
    [before?.epoch, before?.transaction, before?.position],
  );
  expect(await runner.round()).toBe(0);
  const { now } = performance;
  performance.now = () => now.call(performance) + 10_000;
  try {
    expect(await runner.round()).toBe(0);
    expect(await runner.round()).toBeGreaterThan(0);
  } finally {
    performance.now = now;
  }
  expect(await listed()).toEqual(await folded());
});

test('a rebuild of a read model is rejected while another rebuild of the read model is running', async () => {
  const both = await Promise.allSettled([
    rebuildProjection(bench.pool, reader, orderList),
    rebuildProjection(bench.pool, reader, orderList),
  ]);
  const refused = both.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toBeInstanceOf(RebuildUnderWay);
  expect(await listed()).toEqual(await folded());
});

test('an order is searched by its reference and short metadata, also after a rebuild', async () => {
  const metadata = { payer: 'payer-7', note: 'n'.repeat(65) };
  await run('ord_words', [{ ...place('words-1'), metadata } as OrderCommand]);
  await drain(bench.pool, newRunner());
  const words = () => bench.rows(`SELECT words FROM order_search WHERE order_id = 'ord_words'`);
  expect(await words()).toEqual([{ words: 'words-1 payer-7' }]);
  await bench.admin.query('DELETE FROM order_search');
  await rebuildProjection(bench.pool, reader, orderList);
  expect(await words()).toEqual([{ words: 'words-1 payer-7' }]);
});
