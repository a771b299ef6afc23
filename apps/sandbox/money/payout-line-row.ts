import type { Currency, Instant } from '#kernel';
import { fixed, mutable, OWNED, type StoredRow, table } from '../storage/table.js';
import type { LineKind, Method } from './fees.js';

/** What one payment, refund, dispute or dispute reversal adds to or deducts from a payout. */
export const PAYOUT_LINES = table('payout_lines', 'pl', {
  ...OWNED,
  /**
   * The payout of the line. Null while the line waits for a payout: after clearing, or after its
   * previous payout failed.
   */
  payout_id: mutable<string | null>(),
  kind: fixed<LineKind>(),
  payment_id: fixed<string>(),
  refund_id: fixed<string | null>(),
  dispute_id: fixed<string | null>(),
  method: fixed<Method>(),
  /** The unsigned amount: payments and reversals are added, refunds and disputes deducted. */
  amount: fixed<number>(),
  fee: fixed<number>(),
  currency: fixed<Currency>(),
  created_at: fixed<Instant>(),
  /**
   * The morning of the payout that the line joins. Null if the line is in a payout. Also null if
   * the line was carried over because the sum of its day was not positive; it then joins the next
   * payout.
   */
  due_at: mutable<Instant | null>(),
});

export type PayoutLineRow = StoredRow<typeof PAYOUT_LINES>;
