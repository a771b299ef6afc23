import type { Currency, Instant } from '#kernel';
import { table } from '../storage/table.js';
import type { LineKind, Method } from './fees.js';

/** What one payment, refund, dispute or its reversal adds to, or takes from, a payout. */
export interface PayoutLineRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  /** Null while it waits for a payout: from the clearing on, or after its payout has failed. */
  readonly payout_id: string | null;
  readonly kind: LineKind;
  readonly payment_id: string;
  readonly refund_id: string | null;
  readonly dispute_id: string | null;
  readonly method: Method;
  /** Without a sign: a payment's and a reversal's are added, a refund's and a dispute's taken off. */
  readonly amount: number;
  readonly fee: number;
  readonly currency: Currency;
  readonly created_at: Instant;
  /**
   * The morning at which it joins a payout. Null: it is in one, or it was carried because its day's
   * amount was not positive, and goes with the next line of its account that falls due.
   */
  readonly due_at: Instant | null;
}

export const PAYOUT_LINES = table<PayoutLineRow>('payout_lines', 'pl', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', payout_id: 'mutable', kind: 'fixed', payment_id: 'fixed',
  refund_id: 'fixed', dispute_id: 'fixed', method: 'fixed', amount: 'fixed', fee: 'fixed',
  currency: 'fixed', created_at: 'fixed', due_at: 'mutable',
});
