import {
  type AttemptFact,
  type IntentFact,
  type ProviderEvent,
  type Queryable,
  type RefundFact,
  rowsOf,
  type WebhookAttemptFact,
} from './facts.js';

/** The refunds that the provider has made or is making. */
const providerRefunds = (on: Queryable): Promise<readonly RefundFact[]> =>
  rowsOf<RefundFact>(
    on,
    `SELECT i.order_id AS "paymentId", r.amount::int AS "amountMinor"
       FROM refunds r
       JOIN payments p ON p.id = r.payment_id
       JOIN payment_intents i ON i.id = p.intent_id
      WHERE r.status IN ('to_refund', 'refund_sent', 'refunded')`,
  );

/**
 * The facts in the provider's database that the checks read. This database decides where the money
 * is.
 */
export const providerFacts = async (on: Queryable) => ({
  intents: await rowsOf<IntentFact>(
    on,
    `SELECT id, order_id AS "orderId", status, amount::int AS amount, currency,
                created_at::text AS "createdAt"
           FROM payment_intents ORDER BY seq`,
  ),
  attempts: await rowsOf<AttemptFact>(
    on,
    `SELECT id, intent_id AS "intentId", status, amount::int AS amount FROM payments`,
  ),
  refundsMade: await providerRefunds(on),
  providerEvents: await rowsOf<ProviderEvent>(
    on,
    `SELECT type, created_at::text AS "createdAt", body::json #>> '{data,status}' AS status,
                CASE WHEN type LIKE 'payment\\_intent.%' THEN object_id
                     ELSE (SELECT p.intent_id FROM payments p WHERE p.id = object_id) END
                AS "intentId"
           FROM events WHERE type LIKE 'payment%' ORDER BY seq`,
  ),
  webhookAttempts: await rowsOf<WebhookAttemptFact>(
    on,
    `SELECT a.delivery_id::text AS "deliveryId", a.attempt,
            extract(epoch FROM a.started_at - coalesce(
              lag(a.ended_at) OVER (PARTITION BY a.delivery_id ORDER BY a.attempt), e.created_at
            ))::float8 AS "afterSeconds"
       FROM delivery_attempts a
       JOIN deliveries d ON d.id = a.delivery_id
       JOIN events e ON e.id = d.event_id
      WHERE d.replayed_at IS NULL`,
  ),
});
