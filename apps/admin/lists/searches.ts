import type { Search } from '#lists';

/**
 * SQL: finds the ids that begin or end with a word. The word may lack the prefix of the ids, e.g.
 * `pay_`. One index serves the search by beginning, another the search by end.
 */
const idsLike = (table: string, key: string, id: string, prefix: string): string => `
  SELECT ${key} FROM ${table} WHERE ${id} LIKE :begins
  UNION SELECT ${key} FROM ${table} WHERE ${id} LIKE '${prefix}\\_' || :begins
  UNION SELECT ${key} FROM ${table} WHERE reverse(${id}) COLLATE "C" LIKE :ends`;

const ORDERS = `${idsLike('order_search', 'order_id', 'order_id', 'ord')}
  UNION SELECT order_id FROM order_search WHERE words ILIKE :part`;

const PAYMENTS = `${idsLike('payment_search', 'payment_id', 'payment_id', 'pay')}
  UNION ${idsLike('payment_search', 'payment_id', 'intent_id', 'pi')}`;

/**
 * The ids of attempts, refunds, disputes and refund requests are found only if the search contains
 * the whole id.
 */
const OF_PAYMENT = [
  'provider_ids @> ARRAY[:word]',
  `refund_references <> '{}' AND refund_references @> ARRAY[:word]`,
] as const;

const ofPayment = (id: string): string =>
  OF_PAYMENT.map((where) => `SELECT ${id} FROM payment_list WHERE ${where}`).join(' UNION ');

/**
 * The maximum number of ids by which a search joins rows. A search that finds more ids is refused.
 */
const MAX_JOINED = 5_001;

/**
 * SQL: the condition that an id is among the ids that the statement `ids` finds. The found ids get
 * the database's default collation, so that the index on the id is used.
 */
const among = (ids: string): string =>
  `IN (SELECT id COLLATE "default" FROM (${ids}) AS found (id) LIMIT ${MAX_JOINED})`;

/**
 * A search for the middle of an id reads only this many pages at the end of a table, about 50,000
 * rows. An index for such searches would make each order 0.2 ms more expensive.
 */
const LAST_PAGES = 500;
const last = (table: string): string => `ctid >= (
  SELECT format('(%s,0)', greatest(pg_relation_size('${table}') / 8192 - ${LAST_PAGES}, 0))::tid)`;

const ORDERS_WITHIN = `
  SELECT order_id FROM order_search WHERE ${last('order_search')} AND order_id LIKE :part`;
const PAYMENTS_WITHIN = `
  SELECT payment_id FROM payment_search
   WHERE ${last('payment_search')} AND (payment_id LIKE :part OR intent_id LIKE :part)`;

/** Finds orders by their ids and references, and by those of their payments. */
export const ORDER_SEARCH: Search = {
  words: `${ORDERS} UNION ${ofPayment('order_id')}
    UNION SELECT order_id FROM payment_list WHERE payment_id ${among(PAYMENTS)}`,
  otherwise: `${ORDERS_WITHIN}
    UNION SELECT order_id FROM payment_list WHERE payment_id ${among(PAYMENTS_WITHIN)}`,
  statuses: { refunded: 'refunded_minor > 0' },
};

/** Finds payments by their ids and references, and by those of their orders. */
export const PAYMENT_SEARCH: Search = {
  words: `${PAYMENTS} UNION ${ofPayment('payment_id')}
    UNION SELECT payment_id FROM payment_list WHERE last_four = :word
    UNION SELECT payment_id FROM payment_list WHERE order_id ${among(ORDERS)}`,
  otherwise: `${PAYMENTS_WITHIN}
    UNION SELECT payment_id FROM payment_list WHERE order_id ${among(ORDERS_WITHIN)}`,
  statuses: {
    refunded: 'refunded_minor > 0',
    disputed: 'disputed',
    unknown: `unknown_results <> '{}'`,
    mismatch: 'mismatched',
  },
};

export const PAYOUT_SEARCH: Search = {
  words: `SELECT payout_id FROM payout_list WHERE payout_id || ' ' || reference ILIKE :part`,
};

export const MERCHANT_SEARCH: Search = {
  words: `SELECT merchant_id FROM merchant_list
           WHERE merchant_id || ' ' || reference || ' ' || coalesce(company_id, '') ILIKE :part`,
};
