import { assert, type Currency, type Instant, newId } from '#kernel';
import type { AccountScope } from '../storage/account-scope.js';
import type { Transaction } from '../storage/database.js';
import type { Unit } from '../storage/unit.js';
import { morningFrom, morningOf, nextMorning } from './bank-days.js';
import { PAYOUT_LINES, type PayoutLineRow } from './payout-line-row.js';

/**
 * A new payout line, which waits for a payout: the line of a settled payment, a refund or a
 * dispute.
 */
export type NewLine = Omit<PayoutLineRow, 'id' | 'payout_id' | 'due_at'>;

/** A balance, for which payouts are made: one account, mode and currency. */
export interface Balance extends AccountScope {
  readonly currency: Currency;
}

/**
 * The key of an advisory lock: an arbitrary number, used for no other lock in the sandbox's
 * database.
 */
const LINES_LOCK = 1_764_300_000;

const SHARE = {
  name: 'payout-lines:share',
  text: `SELECT pg_advisory_xact_lock_shared(${LINES_LOCK})`,
};
const CLOSE = {
  name: 'payout-lines:close',
  text: `SELECT pg_advisory_xact_lock(${LINES_LOCK})`,
};
const LAST_DAYS = {
  name: 'payout-lines:last-days',
  text: `SELECT b.account_id, b.live, b.currency,
                (SELECT max(date) FROM payouts p WHERE p.account_id = b.account_id
                   AND p.live = b.live AND p.currency = b.currency) AS date
         FROM unnest($1::text[], $2::boolean[], $3::text[]) AS b (account_id, live, currency)`,
};

const keyOf = ({ account_id, live, currency }: Balance): string =>
  `${account_id} ${live} ${currency}`;

/**
 * Waits until no other transaction is inserting payout lines, and prevents further inserts until
 * this transaction ends.
 */
export const closeLines = async (tx: Transaction): Promise<void> => {
  await tx.query(CLOSE, []);
};

/**
 * Returns the first morning at or after an instant whose payout does not exist yet. Until the
 * transaction ends, no payout can be created, so that a new line never misses its payout.
 */
export const openMornings = async (
  tx: Transaction,
  balances: readonly Balance[],
): Promise<(balance: Balance, at: Instant) => Instant> => {
  const distinct = [...new Map(balances.map((balance) => [keyOf(balance), balance])).values()];
  const [, days] = await Promise.all([
    tx.query(SHARE, []),
    tx.query<Balance & { readonly date: string | null }>(LAST_DAYS, [
      distinct.map(({ account_id }) => account_id),
      distinct.map(({ live }) => live),
      distinct.map(({ currency }) => currency),
    ]),
  ]);
  const lastDay = new Map(days.map((day) => [keyOf(day), day.date]));
  return (balance, at) => {
    const last = lastDay.get(keyOf(balance));
    assert(last !== undefined, 'the balance was queried');
    const morning = morningFrom(at);
    if (last === null || morning > morningOf(last)) return morning;
    return nextMorning(morningOf(last));
  };
};

/** Adds lines that wait for the next payout of their balance. */
export const addLines = async (
  tx: Transaction,
  unit: Unit,
  lines: readonly NewLine[],
): Promise<void> => {
  if (lines.length === 0) return;
  const openMorning = await openMornings(tx, lines);
  for (const line of lines) {
    const dueAt = openMorning(line, line.created_at);
    unit.insert(PAYOUT_LINES, { ...line, id: newId('line'), payout_id: null, due_at: dueAt });
  }
};
