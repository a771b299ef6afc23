import type { Currency, Instant } from '#kernel';
import { table } from '../../storage/table.js';
import type { RefundStatus } from './refund-states.js';

export interface RefundRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: RefundStatus;
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly payout_id: string | null;
  readonly created_at: Instant;
  /** Null while the payment's capture is awaited. */
  readonly due_at: Instant | null;
}

export const REFUNDS = table<RefundRow>('refunds', 're', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', payment_id: 'fixed', amount: 'fixed',
  currency: 'fixed', payout_id: 'mutable', created_at: 'fixed', due_at: 'mutable',
});
