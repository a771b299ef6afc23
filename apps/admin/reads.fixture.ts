import type { Pool } from 'pg';
import { EventStore, PostgresLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import { instantFromMs, newId } from '#kernel';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import type { AdminFixture } from './admin.fixture.js';

export const orderId = newId('ord');
export const paymentId = newId('pay');
export const intentId = newId('pi');
export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const at = instantFromMs(Date.now());

const metadata = {
  correlationId: orderId,
  causationId: 'req_1',
  actor: 'platform:shop',
  traceparent: `00-${traceId}-b7ad6b7169203331-01`,
};

/**
 * Places an order whose payment has an intent. The events are written without the checkout saga, so
 * that all ids are known in advance.
 */
const placeOrder = (pool: Pool) =>
  new EventStore(new PostgresLog(pool), UPCASTERS, null).step(metadata, async (step) => {
    const money = { amountMinor: 1_250, currency: 'eur' } as const;
    const terms = {
      ...money,
      platformId: 'shop',
      accountId: 'acc_1',
      methods: ['card'] as const,
      returnUrl: null,
      description: null,
    };
    step.create(orderAggregate, orderId, {
      type: 'PlaceOrder',
      ...terms,
      merchantId: 'm1',
      reference: 'A-1001',
      capture: { policy: 'manual' },
      metadata: {},
      expiresAt: instantFromMs(Date.now() + 3_600_000),
      at,
    });
    await step.execute(orderAggregate, orderId, { type: 'StartPayment', paymentId, at });
    await step.execute(paymentAggregate, paymentId, {
      type: 'RequestIntent',
      orderId,
      ...terms,
      at,
    });
    await step.execute(paymentAggregate, paymentId, {
      type: 'ObservePayment',
      paymentId,
      at,
      observation: {
        intent: {
          intentId,
          reference: paymentId,
          pageUrl: 'https://pay.test/p',
          status: 'open',
          ...money,
        },
        attempts: [],
      } as never,
    });
  });

/**
 * Writes the order that `placeOrder` places, its rows in other tables, and 120 newer rows into the
 * order list.
 */
export const fillConsole = async ({ pool }: AdminFixture): Promise<void> => {
  await placeOrder(pool);
  const rows = Array.from({ length: 120 }, (_, n) => [newId('ord'), `R-${n}`, n]);
  for (const [id, reference, n] of [[orderId, 'A-1001', 500], ...rows]) {
    await pool.query(
      `INSERT INTO order_list VALUES ($1, 'shop', 'm1', $2, 1250, 'eur', 'open', null,
         now() - interval '1 day' + $3 * interval '1 second', 1)`,
      [id, reference, n],
    );
  }
  await pool.query(
    `INSERT INTO payment_list VALUES ($1, $2, 'shop', 'acc_1', 1250, 'eur', 'open', $3,
       ARRAY['paym_1', 'refd_1'], ARRAY['capture'], 0, false, false, now(), 1,
       ARRAY['rfr_1', 'return-17'])`,
    [paymentId, orderId, intentId],
  );
  await pool.query(`
    UPDATE payment_list SET last_four = '4242';
    INSERT INTO order_search SELECT order_id, reference FROM order_list;
    INSERT INTO payment_search SELECT payment_id, intent_id FROM payment_list`);
  await pool.query(
    `INSERT INTO api_requests (at, method, path, object_id, status, answer, duration_ms)
     VALUES (now(), 'GET', '/v2/payment_intents/{id}', $1, 200, '{"status":"open"}', 12)`,
    [intentId],
  );
  // Adds provider requests for a merchant that has no id at the provider yet, and provider requests
  // that each concern one payout.
  await pool.query(
    `INSERT INTO api_requests (at, method, path, object_id, status, answer, duration_ms)
     SELECT now(), 'POST', '/made', $1, status, '{}', 12 FROM unnest(ARRAY[401, 429, 404]) AS status`,
    [orderId],
  );
  await pool.query(
    `INSERT INTO webhooks_received (account_id, event_id, type, body_bytes, body_sha256, intent_id)
     VALUES ('acc_1', 'evt_1', 'payment.authorized', 0, '', $1)`,
    [intentId],
  );
};
