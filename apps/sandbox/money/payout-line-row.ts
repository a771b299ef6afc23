import type { Currency, Instant } from '#kernel';
import { fixed, mutable, OWNED, type StoredRow, table } from '../storage/table.js';
import type { LineKind, Method } from './fees.js';

/** What one payment, refund, dispute or its reversal adds to, or takes from, a payout. */
export const PAYOUT_LINES = table('payout_lines', 'pl', {
  ...OWNED,
  /** Null while it waits for a payout: from the clearing on, or after its payout has failed. */
  payout_id: mutable<string | null>(),
  kind: fixed<LineKind>(),
  payment_id: fixed<string>(),
  refund_id: fixed<string | null>(),
  dispute_id: fixed<string | null>(),
  method: fixed<Method>(),
  /** Without a sign: a payment's and a reversal's are added, a refund's and a dispute's taken off. */
  amount: fixed<number>(),
  fee: fixed<number>(),
  currency: fixed<Currency>(),
  created_at: fixed<Instant>(),
  /**
   * The morning at which it joins a payout. Null: it is in one, or it was carried because its day's
   * amount was not positive, and goes with the next line of its account that falls due.
   */
  due_at: mutable<Instant | null>(),
});

export type PayoutLineRow = StoredRow<typeof PAYOUT_LINES>;
