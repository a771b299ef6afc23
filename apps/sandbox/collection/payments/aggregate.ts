import { type AccountScope, scopeValues } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import { versionSql } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import type { CardRow } from '../cards/card-resource.js';
import { type CardIdentity, latestOf } from '../cards/cards.service.js';
import type { CustomerRow } from '../customers/customer-resource.js';
import { type IntentRow, INTENTS } from './intent-resource.js';
import { type FullPayment, PAYMENTS } from './payment-resource.js';

/** An intent with its latest attempt, read under a lock on the intent's row. */
export interface Aggregate {
  readonly intent: IntentRow;
  readonly payment: FullPayment | null;
}

const LOCK_INTENT = {
  name: 'intent:lock',
  text: `SELECT * FROM payment_intents WHERE id = $1 FOR NO KEY UPDATE`,
};

const selectPayments = (from: string, more = ''): string => `
  SELECT t.*${more}, to_jsonb(card) AS card, to_jsonb(sepa) AS sepa, to_jsonb(customer) AS customer
  FROM ${from} t
  LEFT JOIN cards card ON card.id = t.card_id
  LEFT JOIN sepa ON sepa.id = t.sepa_id
  LEFT JOIN customers customer ON customer.id = t.customer_id`;

/**
 * Selects the payments of a table, or of a subquery, with the objects to which the payments refer.
 */
export const fullPayments = (from: string): string => selectPayments(from);

export const PAYMENT_SELECT = fullPayments('payments');

/**
 * This statement is sent separately after the lock. A row that the locking statement joins would be
 * read before the wait for the lock, and could be outdated.
 */
const LATEST_PAYMENT = {
  name: 'intent:latest-payment',
  text: `${PAYMENT_SELECT} WHERE t.id = (SELECT payment_id FROM payment_intents WHERE id = $1)`,
};

const CUSTOMER = { name: 'customer:by-id', text: 'SELECT * FROM customers WHERE id = $1' };

/**
 * Locks an intent and thereby its payments. Every change takes this lock first, so that two
 * captures, or a capture and a timed transition, run one after the other. Null when no intent has
 * this id.
 */
export const lockAggregate = async (tx: Transaction, id: string): Promise<Aggregate | null> => {
  const [intents, payments] = await Promise.all([
    tx.query<IntentRow>(LOCK_INTENT, [id]),
    tx.query<FullPayment>(LATEST_PAYMENT, [id]),
  ]);
  const intent = intents[0];
  return intent === undefined ? null : { intent, payment: payments[0] ?? null };
};

interface Versioned {
  readonly version: string;
}

const readIntent = (more = '', joins = '', first = ''): string =>
  `SELECT t.*, ${versionSql('t')} AS version${more} FROM payment_intents t ${joins}
   WHERE t.id = $1 ${first}`;

const READ_INTENT = { name: 'intent:read', text: readIntent() };
const READ_INTENT_AND_CARD = {
  name: 'intent:read-with-card',
  text: readIntent(
    ', to_jsonb(card) AS card',
    `LEFT JOIN cards card ON card.account_id = t.account_id AND card.live = t.live
       AND card.fingerprint = $2 AND card.exp_year = $3 AND card.exp_month = $4`,
    latestOf('card'),
  ),
};
const READ_LATEST_PAYMENT = {
  name: 'intent:read-latest-payment',
  text: `${selectPayments('payments', `, ${versionSql('t')} AS version`)}
         WHERE t.id = (SELECT payment_id FROM payment_intents WHERE id = $1)`,
};

/**
 * Reads an intent with its latest payment, to change both. Locks the intent; or, in a transaction
 * without locks, makes the write fail if one of the two rows has changed since this read.
 */
export const takeAggregate = async (
  tx: Transaction,
  unit: Unit,
  id: string,
): Promise<Aggregate | null> => {
  if (tx.locks) return lockAggregate(tx, id);
  const [[intent], [payment]] = await Promise.all([
    tx.query<IntentRow & Versioned>(READ_INTENT, [id]),
    tx.query<FullPayment & Versioned>(READ_LATEST_PAYMENT, [id]),
  ]);
  if (intent === undefined) return null;
  unit.compare(INTENTS, intent);
  if (payment !== undefined) unit.compare(PAYMENTS, payment);
  return { intent, payment: payment ?? null };
};

/**
 * Reads an intent for its first attempt, and the card with this identity, by one query without
 * locks. If the intent has an earlier attempt or allows direct debits, locks are required, because
 * the write does not compare the versions of payments and signing codes.
 */
export const readUntried = async (
  tx: Transaction,
  unit: Unit,
  id: string,
  identity: CardIdentity,
): Promise<{ readonly held: Aggregate | null; readonly card: CardRow | null }> => {
  const [row] = await tx.query<IntentRow & Versioned & { readonly card: CardRow | null }>(
    READ_INTENT_AND_CARD,
    [id, ...identity],
  );
  if (row === undefined) return { held: null, card: null };
  const { card, ...intent } = row;
  if (intent.payment_id !== null || intent.methods_allowed.includes('sepa')) tx.requireLocks();
  unit.compare(INTENTS, intent);
  return { held: { intent, payment: null }, card };
};

const LOCK_INTENTS = {
  name: 'intents:lock',
  text: 'SELECT * FROM payment_intents WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
};

/** Locks many intents, always in the same order, so that two processes cannot deadlock. */
export const lockIntents = async (
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IntentRow>> => {
  const rows = await tx.query<IntentRow>(LOCK_INTENTS, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, row]));
};

const INTENT_OF_PAYMENT = {
  name: 'payment:intent',
  text: 'SELECT intent_id FROM payments WHERE account_id = $1 AND live = $2 AND id = $3',
};
const PAYMENT = { name: 'payment:again', text: `${PAYMENT_SELECT} WHERE t.id = $1` };

/**
 * Locks a payment of this account and mode together with its intent; null when no such payment
 * exists.
 */
export const lockPayment = async (
  tx: Transaction,
  scope: AccountScope,
  id: string,
): Promise<{ readonly intent: IntentRow; readonly payment: FullPayment } | null> => {
  const [found] = await tx.query<{ intent_id: string }>(INTENT_OF_PAYMENT, [
    ...scopeValues(scope),
    id,
  ]);
  if (found === undefined) return null;
  const [intents, payments] = await Promise.all([
    tx.query<IntentRow>(LOCK_INTENT, [found.intent_id]),
    tx.query<FullPayment>(PAYMENT, [id]),
  ]);
  const [intent] = intents;
  const [payment] = payments;
  return intent === undefined || payment === undefined ? null : { intent, payment };
};

/** The customer of an intent, to be set on its new payment. */
export const customerOf = async (
  tx: Transaction,
  intent: IntentRow,
): Promise<CustomerRow | null> => {
  if (intent.customer_id === null) return null;
  const rows = await tx.query<CustomerRow>(CUSTOMER, [intent.customer_id]);
  return rows[0] ?? null;
};
