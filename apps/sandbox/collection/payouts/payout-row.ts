import type { Currency, Instant } from '#kernel';
import type { PayoutTotals } from '../../money/payout-figures.js';
import { table } from '../../storage/table.js';
import type { PayoutStatus } from './payout-states.js';

export interface PayoutRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: PayoutStatus;
  /** What the credit transfer carries. */
  readonly reference: string;
  readonly currency: Currency;
  /** What the merchant receives. */
  readonly amount: number;
  readonly fees: number;
  readonly fees_vat: number;
  /** As its lines were when it was made; those of a failed one have gone on to the next. */
  readonly totals: PayoutTotals;
  /** The day it was made, YYYY-MM-DD: one for each scope, currency and day. */
  readonly date: string;
  /** The day the merchant's bank had it. */
  readonly date_bank: string | null;
  readonly created_at: Instant;
  /** `created_at` while its lines are put into it, which takes a moment. */
  readonly due_at: Instant | null;
}

export const PAYOUTS = table<PayoutRow>('payouts', 'po', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', reference: 'fixed',
  currency: 'fixed',
  amount: 'fixed', fees: 'fixed', fees_vat: 'fixed', totals: 'fixed', date: 'fixed',
  date_bank: 'mutable', created_at: 'fixed', due_at: 'mutable',
});
