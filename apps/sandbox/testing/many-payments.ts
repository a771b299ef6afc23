import pg from 'pg';
import type { Instant } from '#kernel';
import { HOUSE_ACCOUNT } from '../storage/account-scope.js';

export interface ManyPayments {
  readonly count: number;
  /**
   * The instant at which all payments were captured; they are sent to the bank at the cut-off
   * `dueAt`.
   */
  readonly at: Instant;
  readonly dueAt: Instant;
  /**
   * Payments from this number on are sent two days later, and are neither disputed nor refunded.
   */
  readonly laterFrom: number;
  /** Every n-th payment is disputed a day after it settled; 0 means that no payment is disputed. */
  readonly disputedEvery: number;
  /**
   * Every n-th payment has a refund of 100 minor units that waits for the payment's capture; 0
   * means that no payment has a refund.
   */
  readonly refundedEvery: number;
}

const id = (prefix: string): string => `'${prefix}_' || lpad(n::text, 24, '0')`;
/** Amounts from 10.00 to 19.99. */
const AMOUNT = '1000 + n % 1000';

const CARDS = `
  INSERT INTO cards (account_id, id, live, fingerprint, scenario, brand, last4, exp_month, exp_year, created_at)
  VALUES ('${HOUSE_ACCOUNT}', 'card_easy', false, 'easy',
          'Accepted, 3D Secure not required (FR)', 'sandbox', '0079', 12, 2090, $1),
         ('${HOUSE_ACCOUNT}', 'card_angry', false, 'angry',
          'Accepted then disputed (national network)', 'sandbox', '0160', 12, 2090, $1)`;
const INTENTS = `
  INSERT INTO payment_intents (account_id, id, live, status, amount, currency, capture, methods_allowed,
                               payment_id, created_at)
  SELECT '${HOUSE_ACCOUNT}', ${id('pi')}, false, 'to_capture', ${AMOUNT}, 'eur', true, '{card}', ${id('paym')}, $2
  FROM generate_series(1, $1::int) n`;
const PAYMENTS = `
  INSERT INTO payments (account_id, id, live, intent_id, status, amount, currency, capture, response, method,
                        card_id, created_at, authorized_at, due_at)
  SELECT '${HOUSE_ACCOUNT}', ${id('paym')}, false, ${id('pi')}, 'to_capture', ${AMOUNT}, 'eur', true, '00', 'card',
         CASE WHEN $4::int > 0 AND n % greatest($4, 1) = 0 AND n < $5 THEN 'card_angry'
              ELSE 'card_easy' END, $2, $2,
         $3::timestamptz + CASE WHEN n < $5::int THEN interval '0' ELSE interval '2 days' END
  FROM generate_series(1, $1::int) n`;
const REFUNDS = `
  INSERT INTO refunds (account_id, id, live, status, payment_id, amount, currency, created_at)
  SELECT '${HOUSE_ACCOUNT}', ${id('refd')}, false, 'to_refund', ${id('paym')}, 100, 'eur', $2
  FROM generate_series(1, $1::int) n WHERE $3::int > 0 AND n % greatest($3, 1) = 0 AND n < $4::int`;

/** Inserts payments that wait for their cut-off, with the ids `paym_0…1` and so on. */
export const insertManyPayments = async (url: string, many: ManyPayments): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(CARDS, [many.at]);
  await client.query(INTENTS, [many.count, many.at]);
  await client.query(PAYMENTS, [
    many.count,
    many.at,
    many.dueAt,
    many.disputedEvery,
    many.laterFrom,
  ]);
  await client.query(REFUNDS, [many.count, many.at, many.refundedEvery, many.laterFrom]);
  await client.query('ANALYZE payment_intents, payments, refunds');
  await client.end();
};
