import type { Pool } from 'pg';

/** SQL for the business time of order `n`; the orders are spread over a year. */
const YEAR = `timestamptz '2026-01-01' + n * interval '1 year' / $1::int`;

/**
 * SQL for the time of the last change of order `n`: a day after its placement for most orders,
 * weeks for some.
 */
const CHANGED = `${YEAR} + CASE WHEN n % 50 = 0 THEN n % 40 ELSE 1 END * interval '1 day'`;

/** The lists' rows for a year of orders, generated in the database. */
const STATEMENTS: readonly string[] = [
  `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
     status, payment_id, placed_at, version, account_id, methods, updated_at)
   SELECT 'ord_' || lpad(n::text, 24, 'x'), 'platform-' || n % 20, 'merchant-' || n % 5000,
          'R-' || n, 100 + n % 90000, 'eur',
          (ARRAY['paid','paid','paid','paid','open','authorized','canceled','expired'])[1 + n % 8],
          'pay_' || lpad(n::text, 24, 'x'), ${YEAR}, 4, 'acc_' || n % 5000,
          CASE WHEN n % 10 = 0 THEN '{sepa}' ELSE '{card}' END::text[], ${CHANGED}
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO payment_list (payment_id, order_id, platform_id, account_id, amount_minor, currency,
     status, intent_id, provider_ids, unknown_results, refunded_minor, disputed, mismatched, requested_at,
     version, method, updated_at)
   SELECT 'pay_' || lpad(n::text, 24, 'x'), 'ord_' || lpad(n::text, 24, 'x'), 'platform-' || n % 20,
          'acc_' || n % 5000, 100 + n % 90000, 'eur',
          (ARRAY['captured','captured','captured','captured','open','authorized','canceled',
                 'captured'])[1 + n % 8],
          'pi_' || lpad(n::text, 24, 'x'), ARRAY['paym_' || lpad(n::text, 24, 'x')],
          CASE WHEN n % 10000 = 0 THEN ARRAY['capture'] ELSE '{}'::text[] END, 0, n % 1000 = 0,
          n % 50000 = 0, ${YEAR}, 4, CASE WHEN n % 10 = 0 THEN 'sepa' ELSE 'card' END, ${CHANGED}
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO merchant_list
   SELECT 'mer_' || lpad(n::text, 24, 'x'), 'platform-' || n % 20, 'M-' || n, 'test',
          (ARRAY['available','available','draft','requested','incomplete'])[1 + n % 5], n % 5 < 2,
          'comp_' || lpad(n::text, 24, 'x'), ${YEAR}, 4
     FROM generate_series(1, $1::int / 20) n`,
  `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference, currency,
     amount_minor, fees_minor, fees_vat_minor, date, status, bank_date, totals, lines_read, matched,
     exceptions, mismatches, version, updated_at)
   SELECT 'pout_' || lpad(n::text, 24, 'x'), 'acc_' || n % 5000, 'platform-' || n % 20,
          'merchant-' || n % 5000, 'test', 'P-' || n, 'eur', 90000 + n % 90000, 1200, 240,
          (${YEAR})::date, CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'paid' END, (${YEAR})::date,
          '{}', true, 10, '{}', 0, 5, ${CHANGED}
     FROM generate_series(1, $1::int / 10) n`,
  `INSERT INTO reconciliation_exceptions
   SELECT 'exc_' || n, (ARRAY['missing','unknown','amount','fee','late'])[1 + n % 5],
          'acc_' || n % 5000, 'platform-' || n % 20, 'merchant-' || n % 5000, 'payment',
          'paym_' || lpad(n::text, 24, 'x'), 'pay_' || lpad(n::text, 24, 'x'),
          'pout_' || lpad(n::text, 24, 'x'), 'eur', 1000, '1000', '990', ${YEAR}, ${YEAR},
          CASE WHEN n % 10 > 0 THEN ${YEAR} END, CASE WHEN n % 10 > 0 THEN 'facts' END, NULL
     FROM generate_series(1, $1::int / 100) n`,
  `INSERT INTO webhooks_received
     (account_id, event_id, type, body_bytes, body_sha256, received_at, handled_at, intent_id)
   SELECT 'acc_' || n % 5000, 'evt_' || n, 'payment_intent.authorized', 0, '', ${YEAR}, now(),
          'pi_' || lpad(n::text, 24, 'x')
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO api_requests (at, method, path, object_id, reference, status, duration_ms)
   SELECT ${YEAR}, 'GET', '/v2/payment_intents/{id}', 'pi_' || lpad(n::text, 24, 'x'),
          'pay_' || lpad(n::text, 24, 'x'), 200, 20
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
   SELECT 'order', 'ord_' || lpad(n::text, 24, 'x'), 1, gen_random_uuid(), 'OrderPlaced', 1,
          json_build_object('platformId', 'platform-' || n % 20, 'merchantId', 'merchant-' || n % 5000,
            'accountId', 'acc_' || n % 5000, 'reference', 'R-' || n, 'amountMinor', 100 + n % 90000,
            'currency', 'eur', 'capture', json_build_object('policy', 'automatic'),
            'methods', json_build_array('card'), 'returnUrl', null, 'description', null,
            'metadata', '{}'::json, 'expiresAt', '2027-01-01T00:00:00.000Z',
            'at', '2026-01-01T00:00:00.000Z'),
          json_build_object('correlationId', 'ord_' || lpad(n::text, 24, 'x'), 'causationId', 'load',
            'actor', 'platform:load', 'traceparent', null)
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO sagas (saga, key, version, state, done)
   SELECT 'checkout', 'ord_' || lpad(n::text, 24, 'x'), 4, '{"status": "done"}', true
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO jobs (kind, key, due_at)
   SELECT (ARRAY['checkout.expiry','checkout.capture','merchant.company'])[1 + n % 3],
          'ord_' || lpad(n::text, 24, 'x'), ${YEAR}
     FROM generate_series(1, $1::int / 10) n`,
  `INSERT INTO jobs (key, kind, subject_id, account_id, state, due_at, created_at, updated_at)
   SELECT gen_random_uuid(), 'create_intent', 'pay_' || lpad(n::text, 24, 'x'), 'acc_' || n % 5000,
          'done', ${YEAR}, ${YEAR}, ${YEAR}
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO audit (at, actor, action, subject_type, subject_id, request_id)
   SELECT ${YEAR}, 'user:usr_' || n % 40,
          (ARRAY['session.signed_in','session.signed_out','action.requested','action.done'])[1 + n % 4],
          'payment', 'pay_' || lpad(n::text, 24, 'x'), 'load'
     FROM generate_series(1, $1::int) n`,
];

/** Fills the lists and the event log with this many orders, and analyses the tables. */
export const loadYear = async (pool: Pool, orders: number): Promise<void> => {
  for (const statement of STATEMENTS) await pool.query(statement, [orders]);
  await pool.query('VACUUM ANALYZE');
};
